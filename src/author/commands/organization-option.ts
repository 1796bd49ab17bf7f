/** Reads `--org` and `--key-file`, without a database. */
import { readFileSync } from 'node:fs'
import { presentedKey, type KeyHash } from '../../serve/access/api-key.ts'
import { CommandError, EXIT } from '../../serve/start/command.ts'
import { messageOf } from '../../serve/start/output.ts'

export interface OrganizationOptions {
  readonly org?: string | undefined
  readonly keyFile?: string | undefined
}

export type OrganizationOption =
  | { readonly kind: 'name'; readonly name: string }
  /** Only the hash of the key is stored. */
  | { readonly kind: 'key'; readonly hash: KeyHash; readonly keyFile: string }

/** @throws CommandError if neither option is given, or the file contains no key. */
export function readOrganizationOption({ org, keyFile }: OrganizationOptions): OrganizationOption {
  if (org !== undefined) return { kind: 'name', name: org }
  if (keyFile === undefined) {
    throw new CommandError(
      EXIT.usage,
      'Found neither --org nor --key-file, expected an organization: --org with its id or a nickname of access/organizations.sql, or --key-file with a file that contains its API key.',
    )
  }
  const presented = presentedKey(undefined, readKey(keyFile))
  if (presented.kind === 'key') return { kind: 'key', hash: presented.hash, keyFile }
  if (presented.kind === 'impossible') throw unknownKey(keyFile)
  throw new CommandError(EXIT.usage, `--key-file: ${keyFile} contains no key, expected an API key.`)
}

export function unknownKey(keyFile: string): CommandError {
  return new CommandError(EXIT.usage, `The key in ${keyFile} is unknown or revoked.`)
}

function readKey(keyFile: string): string {
  try {
    return readFileSync(keyFile === '-' ? 0 : keyFile, 'utf8').trim()
  } catch (error) {
    throw new CommandError(EXIT.usage, `--key-file cannot be read: ${messageOf(error)}.`)
  }
}
