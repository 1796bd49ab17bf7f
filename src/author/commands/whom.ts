/** `--org` and `--key-file`: whom a command asks for, as far as it can be told without a database. */
import { readFileSync } from 'node:fs'
import { readApiKey } from '../../serve/access/api-key.ts'
import type { KeyHash } from '../../serve/access/api-key.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'

export interface WhomOptions {
  readonly org?: string | undefined
  readonly keyFile?: string | undefined
}

export type Whom =
  | { readonly kind: 'name'; readonly name: string }
  /** The key itself is not kept. `place` is where it was, as in `in key.txt`. */
  | { readonly kind: 'key'; readonly hash: KeyHash; readonly place: string }

/** Reads the file of the key. @throws CommandError where neither or both ways are given, or there is no key. */
export function whomOf({ org, keyFile }: WhomOptions): Whom {
  if (org !== undefined && keyFile !== undefined) {
    throw new CommandError(EXIT.usage, 'Found both --org and --key-file, expected one of them.')
  }
  if (org !== undefined) return { kind: 'name', name: org }
  if (keyFile !== undefined) return { kind: 'key', ...keyIn(keyFile) }
  throw new CommandError(
    EXIT.usage,
    'Found neither --org nor --key-file, expected an organization: --org with its id or a nickname of sql/access/organizations.sql, or --key-file with a file that holds its API key.',
  )
}

function keyIn(keyFile: string): { readonly hash: KeyHash; readonly place: string } {
  const place = keyFile === '-' ? 'on stdin' : `in ${keyFile}`
  const presented = readApiKey({ 'x-api-key': [readKey(keyFile)] })
  if (presented.kind === 'key') return { hash: presented.hash, place }
  if (presented.kind === 'impossible') throw unknownKey(place)
  const found = keyFile === '-' ? 'stdin' : keyFile
  throw new CommandError(EXIT.usage, `--key-file: ${found} holds no key, expected an API key.`)
}

/** Does not show it. */
export function unknownKey(place: string): CommandError {
  return new CommandError(EXIT.usage, `The key ${place} is unknown or revoked.`)
}

function readKey(keyFile: string): string {
  try {
    return readFileSync(keyFile === '-' ? 0 : keyFile, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(
      EXIT.usage,
      `--key-file is "${keyFile}", which cannot be read (${code}): expected a file that holds an API key, or - for stdin.`,
    )
  }
}
