/** The version in package.json. */
import { readFileSync } from 'node:fs'

export function versionOfPackage(): string {
  const path = new URL('../../../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  return version
}
