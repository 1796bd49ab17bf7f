/**
 * An empty database with the product's schema on the shared cluster. Its default collation is Russian, as in products,
 * so that a missing `collate "C"` changes the order of texts.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'

const SCHEMA = fileURLToPath(new URL('../../../sql/product/schema.sql', import.meta.url))

/** Replaces an existing database. @returns the owner's connection */
export async function productDatabase(name: string): Promise<string> {
  const cluster = await sharedCluster()
  const url = cluster.urlFor('postgres', 'primary', name)
  await run(cluster.primaryUrl, `drop database if exists ${name}`)
  await run(
    cluster.primaryUrl,
    `create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'ru'`,
  )
  await run(url, readFileSync(SCHEMA, 'utf8'))
  return url
}
