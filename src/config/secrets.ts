/** Removes the secrets of a configuration from texts. */
import { createSecretRemoval } from '../model/secrets.ts'
import type { RemoveSecrets } from '../model/secrets.ts'
import type { Config } from './config.ts'

/** Rotated passwords of `*_FILE` settings, too. */
export function secretRemovalOf(
  config: Pick<Config, 'databaseUrls' | 'keysDatabaseUrls' | 'probeDatabaseUrls' | 'passwordFiles'>,
): RemoveSecrets {
  const { databaseUrls, keysDatabaseUrls, probeDatabaseUrls, passwordFiles } = config
  const urls = [...databaseUrls, ...keysDatabaseUrls, ...probeDatabaseUrls]
  let remove = createSecretRemoval(urls)
  let rotatedCount = 0
  return text => {
    const rotated = passwordFiles.rotatedUrls()
    if (rotated.length !== rotatedCount) {
      rotatedCount = rotated.length
      remove = createSecretRemoval([...urls, ...rotated])
    }
    return remove(text)
  }
}
