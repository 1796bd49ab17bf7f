/** The sort orders of reports. */

/** A column; after `-` it is descending, after `#` it is an id, which is last if it is null or '0'. */
type Key<Row> = `${'' | '-' | '#'}${keyof Row & string}`

/** Texts as `collate "C"`: by UTF-8 bytes. */
function compare(x: string | bigint, y: string | bigint): number {
  if (typeof x === 'bigint') return Number(x > BigInt(y)) - Number(x < BigInt(y))
  return Buffer.compare(Buffer.from(x), Buffer.from(String(y)))
}

/** Ids are numbers or UUIDs. */
function compareIds(x: string | null, y: string | null): number {
  const [one, other] = [x ?? '0', y ?? '0']
  if (one === '0' || other === '0') return Number(one === '0') - Number(other === '0')
  const areNumbers = /^\d+$/.test(one) && /^\d+$/.test(other)
  return areNumbers ? compare(BigInt(one), BigInt(other)) : compare(one, other)
}

export function sorted<Row extends object>(rows: readonly Row[], ...keys: Key<Row>[]): Row[] {
  const orders = keys.map(key => {
    const valueOf = (row: object) => Reflect.get(row, key.replace(/^[-#]/, ''))
    const [order, sign] = [key.startsWith('#') ? compareIds : compare, key.startsWith('-') ? -1 : 1]
    return (a: Row, b: Row) => sign * order(valueOf(a), valueOf(b))
  })
  return rows.toSorted((a, b) => orders.reduce((found, order) => found || order(a, b), 0))
}
