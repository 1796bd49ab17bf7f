/** Whether rows of an answer are held apart: by their key, and by what they are ordered by. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { RawField } from '../../model/terms.ts'
import type { Question } from './questions.ts'
import type { Firsts } from './firsts.ts'
import type { Prepared } from './subject.ts'

interface RowReader {
  /** @param places of the columns, by name */
  begin(places: ReadonlyMap<string, number>): void
  row(values: readonly RawField[]): void
}

export function createKeyReader(
  { key, source }: ReportDefinition,
  { said }: Question,
  { add }: Firsts,
): RowReader {
  const seen = new Set<string>()
  let at: readonly number[] | undefined
  return {
    begin: places => void (at = placesOf(key, places)),
    row(values) {
      if (at === undefined || at.length === 0) return
      const own = JSON.stringify(at.map(place => values[place]))
      if (seen.has(own)) {
        const message = `key: two rows have ${key.join(', ')} ${own.slice(1, -1)} (${said}), expected columns that make a row unique`
        add('key', source.lineOf(['key']), message)
      }
      seen.add(own)
    },
  }
}

/** Rows that are equal in all that the answer is ordered by stand side by side. */
export function createTieReader(
  { written }: Pick<Prepared, 'written'>,
  { said }: Question,
  { add }: Firsts,
): RowReader {
  const { columns = [], line = 1 } = written.orderBy ?? {}
  let at: readonly number[] | undefined
  let before: { readonly order: string; readonly values: readonly RawField[] } | undefined
  return {
    begin: places => void (at = placesOf(columns, places)),
    row(values) {
      if (at === undefined || at.length === 0) return
      const order = JSON.stringify(at.map(place => values[place]))
      const differs = () => JSON.stringify(before?.values) !== JSON.stringify(values)
      if (before?.order === order && differs()) {
        const message = `two rows tie: ${columns.join(', ')} ${order.slice(1, -1)} (${said}), expected an order by that ends in a unique key`
        add('ties', line, message)
      }
      before = { order, values }
    },
  }
}

/** Undefined where one of them is not in the answer. */
function placesOf(
  names: readonly string[],
  places: ReadonlyMap<string, number>,
): number[] | undefined {
  const found = names.flatMap(name => places.get(name) ?? [])
  return found.length === names.length ? found : undefined
}
