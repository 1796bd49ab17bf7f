/** What an error of pg or the operating system says. */

/** PostgreSQL's message with its detail and hint. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, detail, hint, code } = error as Error &
    Partial<Record<'detail' | 'hint' | 'code', string>>
  const words = message === '' ? (code ?? error.name) : message
  return [words, detail, hint].filter(text => text !== undefined && text !== '').join('; ')
}

/** As `wordsOf`, without messages that may hold values of rows: those about data, and those of functions of the product. */
export function wordsWithoutValues(error: unknown): string {
  const { code = '' } = error as { readonly code?: string }
  return /^(?:22|23|P0)/.test(code) ? `SQLSTATE ${code}, see the log` : wordsOf(error)
}

/** The error with the database's name as `replica`: errors of pg have an address at most. */
export function named(name: string, error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { replica: name }) : error
}
