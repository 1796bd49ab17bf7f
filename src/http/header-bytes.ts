/** The size of a request's head, and its limit. */
import type { IncomingMessage } from 'node:http'
import type { Bytes } from '../terms.ts'

/** Of the request target, the names and values of headers, and what is beside each of them. */
export const MAX_HEADER_BYTES: Bytes = 16 * 1024

/** A colon, a blank and the end of the line. */
export const BYTES_BESIDE_A_HEADER: Bytes = 4

export function headerBytes({ url = '', rawHeaders }: IncomingMessage): Bytes {
  let bytes = url.length
  for (let at = 0; at < rawHeaders.length; at += 2) {
    bytes += rawHeaders[at]!.length + rawHeaders[at + 1]!.length + BYTES_BESIDE_A_HEADER
  }
  return bytes
}
