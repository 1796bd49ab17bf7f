/** The size of a request's head, and its limit. */
import type { IncomingMessage } from 'node:http'
import type { Bytes } from '../../model/terms.ts'

/** Of the request target and the headers: names, values and `HEADER_OVERHEAD_BYTES` for each. */
export const MAX_HEADER_BYTES: Bytes = 16 * 1024

/** Of each header: a colon, a space and the line end. */
export const HEADER_OVERHEAD_BYTES: Bytes = 4

export function headerBytes({ url = '', rawHeaders }: IncomingMessage): Bytes {
  let bytes = url.length
  for (let at = 0; at < rawHeaders.length; at += 2) {
    bytes += rawHeaders[at]!.length + rawHeaders[at + 1]!.length + HEADER_OVERHEAD_BYTES
  }
  return bytes
}
