// The script for ClickHouse, executed by ClickHouse as a library, which npm installs into a temporary folder (550 MB).
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { needs, run } from '../clients/clients.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { exactJson, kits } from './kits.ts'
import { loadsChanges } from './loaders.ts'

const SHIM = 'test/kit/clickhouse-shim.mjs'
const READ = 'select * from receipts format JSONEachRow'

describe("the kit's ClickHouse script", function () {
  this.timeout(240_000)
  const all = kits()
  const folder = temporaryFolder()
  const client = join(folder, 'clickhouse-client')
  // why: instants are shown in the server's time zone
  const env = () => ({
    TZ: 'UTC',
    CHDB_DATA: join(folder, 'data'),
    PATH: `${folder}:${process.env['PATH']}`,
  })

  before(async function () {
    await needs(this, 'curl', ['curl'], ['--version'])
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
    const installed = await run('npm', ['install', ...flags, 'chdb@3.4.0'])
    if (installed.exitCode !== 0) skip(this, `npm cannot install chdb: ${installed.stderr}`)
    copyFileSync(SHIM, join(folder, 'shim.mjs'))
    writeFileSync(client, `#!/bin/sh\nexec '${process.execPath}' '${folder}/shim.mjs' "$@"\n`)
    chmodSync(client, 0o755)
    mkdirSync(env().CHDB_DATA)
    await all.write('clickhouse', 'receipts', 'svodka_load.sh')
  })

  loadsChanges(all, {
    command: () => ['sh', ['svodka_load.sh']],
    env,
    path: '/reports/receipts.ndjson',
    isShapeFixed: true,
    async read() {
      const { ended } = all.run(client, ['--query', READ], env())
      const lines = (await ended).stdout.toString().split('\n').filter(Boolean)
      // why: its instants are UTC, without an offset
      return lines.map(line => exactJson(line.replace(/("sold_at":"[^"]+)"/, '$1Z"')))
    },
  })
})
