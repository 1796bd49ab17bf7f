/** The files of `*_FILE` settings, read again for new connections, so that a rotated password needs no restart. */
import { readFileSync } from 'node:fs'
import { createSecretRemoval, type RemoveSecrets } from '../model/secrets.ts'
import { isPostgresUrl, splitUrls } from './addresses.ts'

export interface PasswordFiles {
  /**
   * The URL with the password that a file has now for it. Without one, such as while a file is being replaced, the
   * last result. Other changes of the files are ignored.
   */
  currentUrl(url: string): string
  /** All URLs with other passwords than at the start so far, for the removal of secrets. */
  readonly rotatedUrls: readonly string[]
}

export function createPasswordFiles(paths: readonly string[]): PasswordFiles {
  /** By URL of the start. */
  const current = new Map<string, string>()
  const rotatedUrls: string[] = []

  return {
    currentUrl(url) {
      const same = paths.flatMap(urlsIn).filter(found => identity(found) === identity(url))
      // why: of two files for one role, the first may not be rotated yet
      const found = same.find(each => each !== url) ?? same[0] ?? current.get(url) ?? url
      if (found !== url && !rotatedUrls.includes(found)) rotatedUrls.push(found)
      current.set(url, found)
      return found
    },
    rotatedUrls,
  }
}

/** None if the file cannot be read. */
function urlsIn(path: string): string[] {
  try {
    return splitUrls(readFileSync(path, 'utf8').trim()).filter(isPostgresUrl)
  } catch {
    return []
  }
}

/** The URL without its password. */
function identity(text: string): string {
  const url = new URL(text)
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}

/** Removes the passwords of a configuration from texts, rotated ones of `*_FILE` settings, too. */
export function secretRemovalOf(
  config: Readonly<
    Record<'databaseUrls' | 'keysDatabaseUrls' | 'probeDatabaseUrls', readonly string[]>
  > & { readonly passwordFiles: PasswordFiles },
): RemoveSecrets {
  const { databaseUrls, keysDatabaseUrls, probeDatabaseUrls, passwordFiles } = config
  const urls = [...databaseUrls, ...keysDatabaseUrls, ...probeDatabaseUrls]
  return createSecretRemoval(urls, passwordFiles.rotatedUrls)
}
