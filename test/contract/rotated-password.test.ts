// A password that changes on the server and in the file of a setting.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readConfig } from '../../src/config/read-config.ts'
import { secretRemovalOf } from '../../src/config/secrets.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { run, sharedShops, type Shops } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { coldPath, readyz } from './gateways.ts'

const FIRST = 'the/first@password'
const SECOND = 'the/second@password'

describe('a rotated password', () => {
  const start = gatewaysOfTests()
  let shops: Shops
  let file: string

  const write = (password: string, url = shops.replicaUrl): void =>
    writeFileSync(file, `${Object.assign(new URL(url), { username: 'rotates', password }).href}\n`)
  const closeConnections = () =>
    run(
      shops.replicaUrl,
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rotates'",
    )

  before(async () => {
    shops = await sharedShops()
    file = join(temporaryFolder(), 'database-url')
    await shops.change(
      `create role rotates login password '${FIRST}'; grant pg_read_all_data, pg_read_all_stats to rotates`,
    )
  })
  after(() => shops.change('drop role rotates'))

  it('is used by new connections of reports, keys and the probe without a restart', async () => {
    write(FIRST)
    const { gateway, ask } = await start({ DATABASE_URL: undefined, DATABASE_URL_FILE: file })
    expect((await ask(coldPath('receipts', 1))).status).to.equal(200)

    await shops.change(`alter role rotates password '${SECOND}'`)
    expect((await ask(coldPath('receipts', 2))).status, 'open connections').to.equal(200)
    await closeConnections()
    await until(async () => (await ask(coldPath('receipts', 3))).status === 503)

    write(SECOND)
    await until(async () => (await ask(coldPath('receipts', 4))).status === 200)
    const readiness = await until(async () => {
      const text = await readyz(gateway)
      return !/\[[+-]\](?:replica|keys)[^\n]*(?:degraded|failed)/.test(text) && text
    })
    expect(readiness)
      .to.match(/^\[\+\]replica \S+ ok/m)
      .and.match(/^\[\+\]keys ok/m)
  })

  it('is removed from texts, and neither another server nor a missing file is used', () => {
    write(FIRST)
    const config = readConfig({ DATABASE_URL_FILE: file, SQL_DIR: 'sql' })
    const { passwordFiles } = config
    const [url = ''] = config.databaseUrls
    const removeSecrets = secretRemovalOf(config)
    expect(passwordFiles.currentUrl(url)).to.equal(url)

    write(SECOND)
    const rotated = passwordFiles.currentUrl(url)
    expect(decodeURIComponent(new URL(rotated).password)).to.equal(SECOND)
    expect(removeSecrets(`found ${SECOND}, was ${FIRST}`)).to.equal('found ***, was ***')

    write('other', 'postgres://another.example/erp')
    expect(passwordFiles.currentUrl(url)).to.equal(rotated)
    writeFileSync(file, '')
    expect(passwordFiles.currentUrl(url)).to.equal(rotated)
  })
})
