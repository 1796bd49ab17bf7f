/** What is known of this build. */
import { readFileSync } from 'node:fs'

export function versionOfPackage(): string {
  const path = new URL('../../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  return version
}

/** Written by `make build`, for installations without git. Undefined if the build did not know it. */
export function revisionOfBuild(): string | undefined {
  try {
    const path = new URL('../../revision', import.meta.url)
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    // why: the compiler alone does not write it
    return undefined
  }
}
