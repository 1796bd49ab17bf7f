/** Entity tags of bytes. @see https://www.rfc-editor.org/rfc/rfc9110#name-etag */
import { createHash } from 'node:crypto'

/** Strong, with its quotes. */
export function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
}
