// Definitions of `test/fixtures/definitions`.
import { readFileSync } from 'node:fs'

/** @param name such as `reports/sales/dates` */
export function fixture(name: string): string {
  return readFileSync(`test/fixtures/definitions/${name}.sql`, 'utf8')
}

/** Texts by path, for `shopsFolder`. */
export function fixtures(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [`${name}.sql`, fixture(name)]))
}

/** The tables and rows of a small product. */
export function productSql(name: string): string {
  return readFileSync(`test/fixtures/products/${name}.sql`, 'utf8')
}
