/** Reads settings as the process does, and returns problems as values. */
import { readConfig } from '../../src/config/read-config.ts'
import { ConfigError, type Config, type Environment } from '../../src/config/config.ts'

export const DATABASE_URL = 'postgres://reports:hunter2@replica.example:5432/erp'

export function read(environment: Environment): Config {
  return readConfig({ DATABASE_URL, ALLOW_TMPFS: 'true', ...environment })
}

export function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig({ ALLOW_TMPFS: 'true', ...environment })
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
