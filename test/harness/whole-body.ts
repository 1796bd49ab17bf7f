// Checks that a report's body is complete and of the right organization: rows have marks, totals count rows. Pure.

interface Body {
  readonly rows: ReadonlyArray<{ readonly mark: string }>
  readonly totals: { readonly n: number }
  readonly summary: string
}

export interface Shown {
  readonly shown: number
  readonly latest: number
}

/** Undefined for an incomplete body. */
export function shownIn(bytes: Buffer): Shown | undefined {
  try {
    return (JSON.parse(bytes.toString()) as { rows: Shown[] }).rows[0]
  } catch {
    return undefined
  }
}

/** @returns what is wrong with it, or undefined. */
export function faultOfBody(bytes: Buffer, organization: number): string | undefined {
  let body: Body
  try {
    body = JSON.parse(bytes.toString()) as Body
  } catch {
    return `cut off after ${bytes.length} bytes`
  }
  const { rows, totals, summary } = body
  const others = rows.find(({ mark }) => mark !== `mark of ${organization}`)
  if (others) return `has a row of another organization: ${others.mark}`
  if (rows.length !== totals.n) return `has ${rows.length} rows of ${totals.n}`
  return summary === '' ? 'has no summary' : undefined
}
