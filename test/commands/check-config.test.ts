// `svodka serve --check-config` with real databases.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { shopsFolder, urlAs } from '../contract/gateways.ts'
import { sharedShops, type Shops } from '../harness/shops.ts'
import { command } from './in-process.ts'

const RECEIPTS = 'reports/sales/receipts.sql'
const ACCESS = 'access/organization_by_key.sql'
const VALID = 'The configuration is valid.\n'

describe('svodka serve --check-config', function () {
  let shops: Shops
  let folder: string
  let DATABASE_URL: string
  const check = (settings: NodeJS.ProcessEnv = {}) =>
    command('serve --check-config', { DATABASE_URL, SQL_DIR: folder, ...settings })
  const withChanged = (file: string, from: string | RegExp, to: string): string => {
    const changed = shopsFolder({ 'reports/faults': undefined })
    const text = readFileSync(join(changed, file), 'utf8')
    writeFileSync(join(changed, file), text.replace(from, to))
    return changed
  }

  before(async () => {
    shops = await sharedShops()
    await shops.change(
      `create role config_reader login password 'config_reader';
       grant pg_read_all_data, pg_read_all_stats to config_reader;
       alter role config_reader set temp_file_limit = '1GB';
       create role config_key_reader login password 'config_key_reader'`,
    )
    DATABASE_URL = urlAs('config_reader', shops.replicaUrl)
    folder = shopsFolder({ 'reports/faults': undefined })
  })
  after(() => shops.change('drop role config_reader; drop role config_key_reader'))

  it('prints a line for each check and exits 0, also while the ports are taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const PORT = String((server.address() as AddressInfo).port)
    const { code, stdout, stderr } = await check({ PORT })
    server.close()
    const { host } = new URL(DATABASE_URL)
    expect(stdout).to.match(
      new RegExp(
        `^\\[\\+\\]settings ok
\\[\\+\\]files ok: 4 reports and \\d+ metrics load in .*
\\[\\+\\]definitions ok
\\[\\+\\]replica ${host} ok: at most [\\d.]+ s behind
\\[\\+\\]read-only role ok
\\[\\+\\]keys ${host} ok: at most [\\d.]+ s behind
\\[\\+\\]inherited settings ok: temp_file_limit = 1048576
$`,
      ),
    )
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: VALID })
  })

  it('checks everything else if one of two replicas is stopped, and says which', async () => {
    const stopped = Object.assign(new URL(DATABASE_URL), { port: '1' })
    const { code, stdout } = await check({ DATABASE_URL: `${DATABASE_URL},${stopped.href}` })
    expect(code).to.equal(1)
    expect(stdout).to.match(/^\[-\]replica 127\.0\.0\.1:1 failed: .*ECONNREFUSED/m)
    expect(stdout)
      .to.match(/^\[\+\]definitions ok$/m)
      .and.match(/^\[\+\]keys \S+ ok/m)
  })

  it('says that definitions are not planned if the only server is stopped', async () => {
    const { code, stdout } = await check({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/erp' })
    expect(code).to.equal(1)
    expect(stdout).to.match(/^\[[+-]\]definitions \w+: not planned on the replica yet$/m)
    expect(stdout).to.match(/^\[-\]replica 127\.0\.0\.1:1 failed: .*ECONNREFUSED/m)
    expect(stdout).to.match(/^\[-\]keys 127\.0\.0\.1:1 failed: .*ECONNREFUSED/m)
  })

  it('reports statements that the replica rejects, with the finding of svodka check', async () => {
    const SQL_DIR = withChanged(RECEIPTS, 'from receipts', 'from no_such_table as receipts')
    const { code, stdout } = await check({ SQL_DIR })
    expect(code).to.equal(1)
    expect(stdout).to.match(/receipts\.sql:\d+: no_such_table .*relation .* does not exist/)
    expect(stdout).to.match(
      /^\[\+\]definitions degraded: 1 of \d+ do not run on this replica: receipts$/m,
    )
  })

  it('reports files that do not load, and still checks the databases', async () => {
    const { code, stdout } = await check({ SQL_DIR: withChanged(RECEIPTS, 'title:', 'titel:') })
    expect(code).to.equal(1)
    expect(stdout)
      .to.match(/receipts\.sql:2: .*titel/)
      .and.match(/^\[\+\]keys \S+ ok/m)
  })

  it('reports a key look-up that cannot be executed', async () => {
    const role = { KEYS_DATABASE_URL: urlAs('config_key_reader', shops.primaryUrl) }
    const { code, stdout } = await check(role)
    expect(code).to.equal(1)
    expect(stdout).to.match(/^\[-\]keys \S+ failed: permission denied/m)

    const SQL_DIR = withChanged(ACCESS, 'as time_zone', 'as zone')
    const renamed = await check({ SQL_DIR })
    expect(renamed.code).to.equal(1)
    expect(renamed.stdout + renamed.stderr).to.contain('time_zone')
  })

  it('reports a role that can write, a wrong password without showing it, and a misspelt setting', async () => {
    const superuser = await check({ DATABASE_URL: shops.replicaUrl })
    expect(superuser.code).to.equal(1)
    expect(superuser.stdout).to.match(/^\[\+\]read-only role degraded: .*superuser/m)

    const url = Object.assign(new URL(DATABASE_URL), { password: 'a wrong password' })
    const rejected = await check({ DATABASE_URL: url.href, LOG_LEVLE: 'x' })
    expect(rejected.code).to.equal(1)
    expect(rejected.stdout).to.match(/^\[-\]replica \S+ failed: password authentication failed/m)
    expect(rejected.stdout).to.match(/^\[-\]settings failed: .*LOG_LEVLE/m)
    expect(rejected.stdout + rejected.stderr).not.to.contain('wrong')
  })

  it('exits 2 for wrong settings and options', async () => {
    expect((await check({ PORT: 'x' })).code).to.equal(2)
    const misspelt = await check({ DATABASE_URL: `${DATABASE_URL}?sslMode=verify-full` })
    expect(misspelt.code).to.equal(2)
    expect(misspelt.stderr).to.contain('unknown parameter sslMode: is sslmode meant? expected host')
    expect((await command('serve --check-confg', { DATABASE_URL })).code).to.equal(2)
  })
})
