/** Entity tags of bytes. @see https://www.rfc-editor.org/rfc/rfc9110#name-etag */
import { createHash } from 'node:crypto'

/** Strong, with its quotes. */
export function etagOf(bytes: Buffer): string {
  return `"${hashOf(bytes)}"`
}

/**
 * Weak, of a body that is known by the fingerprint of its rows.
 * @param parts everything else that the body depends on
 */
export function fingerprintEtag(fingerprint: string, parts: readonly unknown[]): string {
  return `W/"f-${hashOf(JSON.stringify([fingerprint, ...parts]))}"`
}

/** Whether `If-None-Match` may have the result of `fingerprintEtag`. */
export function namesFingerprint(ifNoneMatch: string): boolean {
  return /"f-[\w-]{27}"/.test(ifNoneMatch)
}

function hashOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
}
