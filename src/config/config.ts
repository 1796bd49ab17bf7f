/** The configuration that the table of settings amounts to, and what is said where it cannot be had. */
import type { KeyAddress, ReplicaAddress } from './addresses.ts'
import type { OrganizationBudget } from '../model/terms.ts'
import type { SETTINGS } from './settings.ts'

type ValueOf<S> = S extends { kind: 'enum'; values: readonly (infer Value)[] }
  ? Value
  : S extends { kind: 'boolean' }
    ? boolean
    : S extends { kind: 'url' | 'path' | 'host' }
      ? string
      : S extends { kind: 'urls' }
        ? readonly string[]
        : S extends { kind: 'budget' }
          ? OrganizationBudget | undefined
          : S extends { default: string }
            ? number
            : number | undefined

/** All settings, each of its type and unit, frozen; holds secrets, so it is never logged whole. */
export type Config = {
  readonly [Property in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Property]>
} & {
  /** Of `DATABASE_URL`, in its order; at least one. */
  readonly replicas: readonly ReplicaAddress[]
  /** Of `KEYS_DATABASE_URL`, in its order; at least one. */
  readonly keyServers: readonly KeyAddress[]
  /** What looks wrong but stops nothing, for the log: likely misspellings. */
  readonly warnings: readonly string[]
}

/** The process's environment, handed in. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Everything that is wrong with the settings, at once; safe to print. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'A setting is' : `${problems.length} settings are`
    super(`${count} wrong:\n${problems.map(problem => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
