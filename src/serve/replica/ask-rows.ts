/** Executes a statement on a connection of the caller, and returns its rows as texts. */
import type { RawField } from '../../model/terms.ts'

/** @throws what pg or the transport reports. */
export type AskRows = (
  text: string,
  values: readonly string[],
) => Promise<ReadonlyArray<readonly RawField[]>>

/** As PostgreSQL reads a `text[]`. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map(text => `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`).join(',')}}`
}
