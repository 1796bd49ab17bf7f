/** The configuration, with a typed property for each setting, and the error for invalid settings. */
import type { KeyAddress, ReplicaAddress } from './addresses.ts'
import type { PasswordFiles } from './secrets.ts'
import type { Limits } from './limits.ts'
import type { SETTINGS } from './settings.ts'

type ValueOf<S> = S extends { kind: 'enum'; values: readonly (infer Value)[] }
  ? Value
  : S extends { kind: 'boolean' }
    ? boolean
    : S extends { kind: 'path' | 'host' }
      ? string
      : S extends { kind: 'urls' }
        ? readonly string[]
        : S extends { kind: 'networks' | 'origins' }
          ? readonly string[] | undefined
          : number

/** All settings and limits with types and units, frozen. Contains secrets: never log it as a whole. */
export type Config = {
  readonly [Property in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Property]>
} & Limits & {
    /** Replicas of `DATABASE_URL`, in its order; at least one. */
    readonly replicas: readonly ReplicaAddress[]
    /** Databases of `KEYS_DATABASE_URL`, in its order; at least one. */
    readonly keyServers: readonly KeyAddress[]
    /** The files of `*_FILE` settings. */
    readonly passwordFiles: PasswordFiles
    /** Likely misspellings, and a limit of files that is too low, for the log. */
    readonly warnings: readonly string[]
  }

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** All problems of the settings, without secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'A setting is' : `${problems.length} settings are`
    super(`${count} wrong:\n${problems.map(problem => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
