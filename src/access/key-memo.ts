/** Keeps what headers were read as, so that a key is hashed once. Never whether a key is valid. */
import { readApiKey } from './api-key.ts'
import type { PresentedKey } from './api-key.ts'

/** Some 2 MB at most: as many as there are keys that ask again and again. */
const MAX_HEADERS = 10_000
/** A longer one is read anew each time. */
const MAX_HEADER_LENGTH = 128

/** Reads a key from headers that stand once each. @see readApiKey */
export type ReadKey = (
  authorization: string | undefined,
  apiKey: string | undefined,
) => PresentedKey

export function createKeyMemo(): ReadKey {
  const byAuthorization = new Map<string, PresentedKey>()
  const byApiKey = new Map<string, PresentedKey>()

  return (authorization, apiKey) => {
    if (authorization === undefined) {
      return apiKey === undefined
        ? { kind: 'none' }
        : read(byApiKey, apiKey, { 'x-api-key': [apiKey] })
    }
    if (apiKey === undefined) {
      return read(byAuthorization, authorization, { authorization: [authorization] })
    }
    return readApiKey({ authorization: [authorization], 'x-api-key': [apiKey] })
  }
}

function read(
  memo: Map<string, PresentedKey>,
  header: string,
  headers: NodeJS.Dict<string[]>,
): PresentedKey {
  const known = memo.get(header)
  if (known !== undefined) return known
  const key = readApiKey(headers)
  if (header.length > MAX_HEADER_LENGTH) return key
  if (memo.size >= MAX_HEADERS) memo.clear()
  memo.set(header, key)
  return key
}
