/** Asks PostgreSQL for the columns of a statement without executing it. */
import type { RawField } from '../../model/terms.ts'
import type { ReadRows } from '../database/connection.ts'
import type { DescribedColumn } from '../database/database-client.ts'

const HEAD = 'select * from (\n'
const TAIL = '\n) as described limit 0'

/**
 * With `limit 0` PostgreSQL plans and describes the statement, and evaluates only immutable functions.
 * @throws what `read` throws; the position, if any, counts characters of `text` from 1
 */
export async function describeColumns(
  read: ReadRows,
  text: string,
  values: readonly RawField[] = [],
): Promise<readonly DescribedColumn[]> {
  let columns: readonly DescribedColumn[] = []
  const onColumns = (found: readonly DescribedColumn[]): void => void (columns = found)
  try {
    await read({ text: `${HEAD}${text}${TAIL}`, values, onColumns })
  } catch (error) {
    const failed = error as { position?: string }
    if (failed.position !== undefined)
      failed.position = String(Number(failed.position) - HEAD.length)
    throw error
  }
  return columns
}
