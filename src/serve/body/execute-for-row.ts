/** Executes a statement that returns one row, and retries as the replicas allow. */
import { rawField } from '../../model/row-bytes.ts'
import { createRowReader, forEachRow } from '../../model/row-reader.ts'
import type { Instant, RawField } from '../../model/terms.ts'
import type { Replicas } from '../replica/attempts.ts'
import { ResultColumnsError } from '../replica/column-types.ts'
import type { Execution } from '../replica/execution.ts'
import type { Field } from '../replica/prepared.ts'
import type { OrganizationRequest } from '../replica/statement-request.ts'

interface RowRequest<T> {
  readonly replicas: Pick<Replicas, 'begin'>
  readonly statement: OrganizationRequest
  readonly signal: AbortSignal
  /** The indexes of the fields to read, from the columns of the result. */
  readonly select: (columns: readonly Field[]) => readonly number[]
  /** Converts these fields; an error that it throws fails the execution. */
  readonly make: (fields: readonly RawField[]) => T
  /** For messages: `one row in a metrics file`. */
  readonly expected: string
}

/** @throws as `LoadReport` */
export async function executeForRow<T>({
  replicas,
  statement,
  signal,
  select,
  make,
  expected,
}: RowRequest<T>): Promise<{ readonly value: T; readonly dataAsOf: Instant | undefined }> {
  const attempts = replicas.begin(statement, signal)
  for (;;) {
    const execution = await attempts.next()
    try {
      const value = make(await readOnlyRow(execution, select(execution.fields), expected))
      attempts.succeed(1)
      return { value, dataAsOf: execution.dataAsOf }
    } catch (error) {
      await attempts.fail(error, 0)
    }
  }
}

/** @throws ResultColumnsError unless there is one row */
async function readOnlyRow(
  { batches }: Execution,
  indexes: readonly number[],
  expected: string,
): Promise<readonly RawField[]> {
  const reader = createRowReader()
  let fields: readonly RawField[] = []
  let rowCount = 0
  for await (const batch of batches) {
    forEachRow(reader, batch, row => {
      rowCount += 1
      fields = indexes.map(index => rawField(row, index))
    })
  }
  if (rowCount === 1) return fields
  throw new ResultColumnsError(`found ${rowCount} rows, expected ${expected}`)
}
