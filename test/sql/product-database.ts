/**
 * An empty database with the product's schema on the shared cluster. Its own collation is Russian, as products have it:
 * an order of texts that leaves out `collate "C"` is another one here.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'

const SCHEMA = fileURLToPath(new URL('../../../sql/product/schema.sql', import.meta.url))

/** @returns where its owner connects to; one that was there before is dropped. */
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
