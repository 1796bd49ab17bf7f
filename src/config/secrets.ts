/** Removes the secrets of a configuration from texts. */
import { createSecretRemoval } from '../model/secrets.ts'
import type { RemoveSecrets } from '../model/secrets.ts'
import type { Config } from './config.ts'

export function secretRemovalOf(
  config: Pick<Config, 'databaseUrls' | 'keysDatabaseUrls' | 'probeDatabaseUrls'>,
): RemoveSecrets {
  const { databaseUrls, keysDatabaseUrls, probeDatabaseUrls } = config
  return createSecretRemoval([...databaseUrls, ...keysDatabaseUrls, ...probeDatabaseUrls])
}
