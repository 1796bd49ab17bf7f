/** Wraps a statement so that PostgreSQL describes its columns without executing it. */
const HEAD = 'select * from (\n'
const TAIL = '\n) as described limit 0'

/** With `limit 0` PostgreSQL plans and describes the statement, and evaluates only immutable functions. */
export function describeStatement(text: string): string {
  return `${HEAD}${text}${TAIL}`
}

/** Corrects the position of an error, which counts characters from 1, for the wrapped statement. */
export function restorePosition(error: unknown): unknown {
  const failed = error as { position?: string }
  if (failed.position !== undefined) failed.position = String(Number(failed.position) - HEAD.length)
  return error
}
