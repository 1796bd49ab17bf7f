import { needs } from '../clients/clients.ts'
import { run as query } from '../harness/shops.ts'
import { exactJson, kits } from './kits.ts'
import { loadsChanges } from './loaders.ts'

describe("the kit's psql script", () => {
  const all = kits()
  before(async function () {
    await needs(this, 'postgresql-client', ['psql'], ['--version'])
    await needs(this, 'curl', ['curl'], ['--version'])
    await all.write('psql', 'receipts', 'svodka_load.sh')
    await query(all.world.shops.primaryUrl, 'create schema kit_psql')
  })
  after(() => query(all.world.shops.primaryUrl, 'drop schema if exists kit_psql cascade'))

  loadsChanges(all, {
    tool: 'psql',
    command: (file = 'svodka_load.sh') => ['sh', [file]],
    env: () => {
      const { hostname, port, username, password, pathname } = new URL(all.world.shops.primaryUrl)
      return {
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGPASSWORD: password,
        PGDATABASE: pathname.slice(1),
        PGOPTIONS: '-csearch_path=kit_psql',
      }
    },
    read: async (table = 'receipts') => {
      const list = `select coalesce(json_agg(loaded), '[]')::text as list from kit_psql."${table}" as loaded`
      const [{ list: rows } = { list: '[]' }] = await query<{ list: string }>(
        all.world.shops.primaryUrl,
        list,
      )
      return exactJson(rows)
    },
    execute: sql => query(all.world.shops.primaryUrl, `set search_path = kit_psql; ${sql}`),
  })
})
