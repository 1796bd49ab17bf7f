// What is compared before anything is timed: answers are whole, right and always the same.
import { createHash } from 'node:crypto'
import type { Subject } from './subject.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Two runs of a report have the same bytes and as many rows as they should.
 * @returns its rows
 * @throws Error saying what is wrong
 */
export async function checkAnswer(
  url: string,
  { target, key, definition }: Subject,
  rowCount: number,
): Promise<readonly Fields[]> {
  const ask = async (): Promise<Buffer> => {
    const headers = { authorization: `Bearer ${key}`, 'cache-control': 'no-cache' }
    const answer = await fetch(url + target, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status === 200) return bytes
    throw new Error(`${target} answers ${answer.status}: ${bytes.toString().slice(0, 500)}`)
  }
  const [first, second] = [await ask(), await ask()]
  if (hashOf(first) !== hashOf(second)) throw new Error(`${target}: two runs differ`)
  const { rows } = JSON.parse(first.toString()) as { readonly rows: readonly Fields[] }
  if (rows.length === rowCount) return rows
  throw new Error(`${definition.code}: ${rows.length} rows, expected ${rowCount}`)
}

/** The rival says the same, but for what only the gateway writes in the organization's time. */
export async function checkObjects(
  url: string,
  { definition }: Subject,
  rows: readonly Fields[],
): Promise<void> {
  const answer = (await (await fetch(url)).json()) as { readonly rows: readonly Fields[] }
  const keys = definition.columns.filter(({ type }) => type !== 'datetime').map(({ key }) => key)
  const digest = (all: readonly Fields[]): string =>
    hashOf(JSON.stringify(all.map(row => keys.map(key => row[key]))))
  const others = answer.rows.filter(row => row['is_total'] !== true)
  if (digest(others) !== digest(rows)) throw new Error('pg objects are not the rows of the gateway')
}

function hashOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
