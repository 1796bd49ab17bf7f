/** Environment to configuration. The environment is an argument: `main` alone passes `process.env`. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorObject } from 'ajv'
import { createSecretRemoval } from '../model/secrets.ts'
import { keyAddresses, replicaAddresses, splitUrls } from './addresses.ts'
import { findConflicts } from './conflicts.ts'
import { findMisspellings } from './misspellings.ts'
import { parseValue } from './parse-value.ts'
import { compileSettings, expectation } from './schema.ts'
import { ConfigError } from './config.ts'
import type { Config, Environment } from './config.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'

/** What was found for a setting; `name` is the variable that it came from. */
type Finding =
  | { readonly kind: 'value'; readonly name: string; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'problem'; readonly problem: string }

/** What the schema vouches for: all but the defaults that hang on other settings. */
type Worked = 'keysDatabaseUrls' | 'probeDatabaseUrls' | 'sqlDir'
type Parsed = Omit<Config, Worked | 'warnings' | 'replicas' | 'keyServers'> &
  Partial<Pick<Config, Worked>>

const settings: ReadonlyArray<readonly [string, Setting]> = Object.entries(SETTINGS)
const isValid = compileSettings<Parsed>(SETTINGS)

/**
 * Reads every setting: a number in its base unit (bytes, milliseconds), a path made absolute. Blank
 * counts as not set; unknown variables are ignored. Reads the files that `*_FILE` names.
 * @throws ConfigError with all problems at once, none of which shows a secret.
 */
export function readConfig(environment: Environment): Config {
  const findings = settings.map(
    ([property, setting]) => [property, setting, find(setting, environment)] as const,
  )
  const values: Record<string, unknown> = {}
  for (const [property, setting, finding] of findings) {
    const text = finding.kind === 'value' ? finding.text : setting.default
    if (text !== undefined) values[property] = parseValue(setting.kind, text)
  }

  const valid = isValid(values)
  const refused = new Set(valid ? [] : isValid.errors?.map(refusedProperty))
  const problems = findings.flatMap(([property, setting, finding]) => {
    if (finding.kind === 'problem') return [finding.problem]
    return refused.has(property) ? [describe(setting, finding)] : []
  })
  problems.push(...findConflicts(values, environment))
  if (!valid || problems.length > 0) {
    const removeSecrets = createSecretRemoval(findings.flatMap(secretsIn))
    throw new ConfigError(problems.map(removeSecrets))
  }
  return complete(values, environment)
}

function find(setting: Setting, environment: Environment): Finding {
  const { name } = setting
  const text = textOf(environment, name)
  const fileName = `${name}_FILE`
  const path = setting.secret === true ? textOf(environment, fileName) : ''
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

function secretsIn([, { secret }, finding]: readonly [string, Setting, Finding]): string[] {
  return secret === true && finding.kind === 'value' ? splitUrls(finding.text) : []
}

/** A secret that was meant for another setting is not shown. */
function shown(text: string): string {
  const holdsSecret = text.includes('@') || text.includes('://')
  return holdsSecret ? `${text.length} characters (not shown)` : `"${text}"`
}

/** Of a variable that names a file: a path that cannot be anything else is shown. */
function shownPath(text: string): string {
  return /^\.{0,2}\/[\w./ -]+$/.test(text) && !text.startsWith('//')
    ? `"${text}"`
    : `${text.length} characters (not shown)`
}

function problem(what: string): Finding {
  return { kind: 'problem', problem: what }
}

function refusedProperty({ keyword, params, instancePath }: ErrorObject): string {
  return keyword === 'required' ? String(params['missingProperty']) : instancePath.split('/')[1]!
}

function describe(setting: Setting, finding: Finding): string {
  const expected = `expected ${expectation(setting)}`
  if (finding.kind !== 'value') return `${setting.name} is not set: ${expected}`
  const { name, text } = finding
  if (setting.secret !== true) return `${name} is ${shown(text)}: ${expected}`
  return `${name} holds ${text.length} characters (not shown): ${expected}`
}

function complete(parsed: Parsed, environment: Environment): Config {
  const { databaseUrls, probeDatabaseUrls = databaseUrls } = parsed
  const { keysDatabaseUrls = databaseUrls.slice(0, 1) } = parsed
  const quarter = Math.floor(parsed.cacheMaxBytes / 4)
  const replicas = replicaAddresses(databaseUrls, probeDatabaseUrls)
  const names = Object.keys(environment).filter(name => textOf(environment, name) !== '')
  const known = settings.flatMap(([, { name, secret }]) =>
    secret === true ? [name, `${name}_FILE`] : [name],
  )
  return Object.freeze({
    ...parsed,
    keysDatabaseUrls,
    keyServers: Object.freeze(keyAddresses(keysDatabaseUrls, replicas)),
    probeDatabaseUrls,
    replicas: Object.freeze(replicas),
    sqlDir: resolve(parsed.sqlDir ?? join(projectFolder(), 'sql')),
    // Larger than a quarter it can only be as a default: given, it was refused.
    cacheMaxEntryBytes: Math.min(parsed.cacheMaxEntryBytes, quarter),
    warnings: Object.freeze(findMisspellings(names, known)),
  })
}

function textOf(environment: Environment, name: string): string {
  return environment[name]?.trim() ?? ''
}

/** Where package.json is: above `src/config` and above `dist/src/config` alike. */
function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) {
    folder = dirname(folder)
  }
  return folder
}
