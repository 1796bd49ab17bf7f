/** Reads the configuration from environment variables. Only `main` passes `process.env`. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSecretRemoval } from '../model/secrets.ts'
import { keyAddresses, replicaAddresses, splitUrls } from './addresses.ts'
import { findConflicts } from './conflicts.ts'
import { findLowFileLimit } from './file-limit.ts'
import { findMisspellings } from './misspellings.ts'
import { expectation, parseSetting } from './kinds.ts'
import { ConfigError } from './config.ts'
import type { Config, Environment } from './config.ts'
import { derivedLimits, LIMITS } from './limits.ts'
import { createPasswordFiles } from './secrets.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'

/** The value of a setting or a problem; `name` is the variable that was read. */
type Finding =
  | { readonly kind: 'value'; readonly name: string; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'problem'; readonly problem: string }

/** Valid values; without defaults that depend on other settings. */
type Derived = 'keysDatabaseUrls' | 'probeDatabaseUrls' | 'sqlDir'
type Parsed = Omit<Pick<Config, keyof typeof SETTINGS>, Derived> & Partial<Pick<Config, Derived>>

const settings: ReadonlyArray<readonly [string, Setting]> = Object.entries(SETTINGS)

/**
 * Reads every setting: numbers in base units (bytes, milliseconds), absolute paths. Blank values and unknown
 * variables are ignored. Reads the files of `*_FILE` settings.
 * @throws ConfigError with all problems, without secrets.
 */
export function readConfig(environment: Environment): Config {
  const findings = settings.map(
    ([property, setting]) => [property, setting, find(setting, environment)] as const,
  )
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [property, setting, finding] of findings) {
    const text = finding.kind === 'value' ? finding.text : setting.default
    const value = text === undefined ? undefined : parseSetting(setting, text)
    if (value !== undefined) values[property] = value
    else if (finding.kind === 'problem') problems.push(finding.problem)
    else if (text !== undefined || setting.required === true)
      problems.push(describe(setting, finding))
  }
  problems.push(...findConflicts(values, environment))
  const misspellings = findMisspellings(environment)
  if (problems.length > 0) {
    const removeSecrets = createSecretRemoval(findings.flatMap(secretsIn))
    throw new ConfigError([...problems, ...misspellings].map(removeSecrets))
  }
  // why: without problems, each required setting and each default has a value
  const config = complete(values as Parsed, environment)
  const warnings = Object.freeze([...misspellings, ...findLowFileLimit(config)])
  return Object.freeze({ ...config, warnings })
}

function find(setting: Setting, environment: Environment): Finding {
  const { name } = setting
  const text = textOf(environment, name)
  const fileName = `${name}_FILE`
  const path = fileOf(setting, environment)
  if (path === '') return text === '' ? { kind: 'nothing' } : { kind: 'value', name, text }
  if (text !== '') return problem(`${name} and ${fileName} are both set: expected one of them`)
  const expected = `expected a file that holds ${name}`
  try {
    const content = readFileSync(path, 'utf8').trim()
    if (content === '')
      return problem(`${fileName} is ${shownPath(path)}, which is empty: ${expected}`)
    return { kind: 'value', name: fileName, text: content }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    return problem(
      `${fileName} is ${shownPath(path)}, which cannot be read (${reason}): ${expected}`,
    )
  }
}

/** Empty if the setting is not from a file. */
function fileOf({ name, secret }: Setting, environment: Environment): string {
  return secret === true ? textOf(environment, `${name}_FILE`) : ''
}

function secretsIn([, { secret }, finding]: readonly [string, Setting, Finding]): string[] {
  return secret === true && finding.kind === 'value' ? splitUrls(finding.text) : []
}

/** Does not show a secret that was given to the wrong setting. */
function shown(text: string): string {
  const holdsSecret = text.includes('@') || text.includes('://')
  return holdsSecret ? `${text.length} characters (not shown)` : `"${text}"`
}

/** Shows the value of a `*_FILE` variable only if it is clearly a path. */
function shownPath(text: string): string {
  return /^\.{0,2}\/[\w./ -]+$/.test(text) && !text.startsWith('//')
    ? `"${text}"`
    : `${text.length} characters (not shown)`
}

function problem(what: string): Finding {
  return { kind: 'problem', problem: what }
}

function describe(setting: Setting, finding: Finding): string {
  const expected = `expected ${expectation(setting)}`
  if (finding.kind !== 'value') return `${setting.name} is not set: ${expected}`
  const { name, text } = finding
  if (setting.secret !== true) return `${name} is ${shown(text)}: ${expected}`
  return `${name} holds ${text.length} characters (not shown): ${expected}`
}

function complete(parsed: Parsed, environment: Environment): Omit<Config, 'warnings'> {
  const { databaseUrls, probeDatabaseUrls = databaseUrls } = parsed
  const { keysDatabaseUrls = databaseUrls.slice(0, 1) } = parsed
  const files = settings.map(([, setting]) => fileOf(setting, environment))
  const replicas = replicaAddresses(databaseUrls, probeDatabaseUrls)
  return {
    ...parsed,
    ...LIMITS,
    ...derivedLimits(parsed),
    reportPoolSize: Math.max(1, Math.floor(parsed.reportPoolSize / parsed.gatewayCount)),
    keysDatabaseUrls,
    keyServers: Object.freeze(keyAddresses(keysDatabaseUrls, replicas)),
    probeDatabaseUrls,
    replicas: Object.freeze(replicas),
    passwordFiles: createPasswordFiles(files.filter(path => path !== '')),
    sqlDir: resolve(parsed.sqlDir ?? join(projectFolder(), 'sql')),
  }
}

function textOf(environment: Environment, name: string): string {
  return environment[name]?.trim() ?? ''
}

/** The folder of package.json, above `src/config` or `dist/src/config`. */
function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) {
    folder = dirname(folder)
  }
  return folder
}
