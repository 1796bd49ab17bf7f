/** Finds environment variables that are probably misspelt settings. */
import { nearest } from '../model/spelling.ts'
import type { Environment } from './config.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'

/** Shorter names are similar to too many others: HOME to HOST, SSL_DIR to SQL_DIR. */
const SHORTEST = 8

const settings: readonly Setting[] = Object.values(SETTINGS)

/** A warning, without the value, for each variable that is one typing error away from an unset setting. */
export function findMisspellings(environment: Environment): string[] {
  const names = Object.keys(environment).filter(name => environment[name]?.trim())
  const unset = settings
    .map(namesOf)
    .filter(all => !all.some(name => names.includes(name)))
    .flat()
  const known = new Set(settings.flatMap(namesOf))
  return names.flatMap(name => {
    if (known.has(name) || name.length < SHORTEST) return []
    // why: QUERY_TIMEOUT is two typing errors away from QUEUE_TIMEOUT
    const meant = nearest(name, unset, 1)
    return meant === undefined ? [] : [`${name} is not a setting: is ${meant} meant?`]
  })
}

function namesOf({ name, secret }: Setting): string[] {
  return secret === true ? [name, `${name}_FILE`] : [name]
}
