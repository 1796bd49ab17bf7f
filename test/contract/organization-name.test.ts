// The name of an organization: in its own workbooks and its `/ping`, never out of date, and nowhere else.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { SHOPS_SQL_DIR } from '../harness/shops.ts'
import { gatewayOfBlock, NOON } from '../harness/shops-gateway.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { readWorkbook } from '../formats/xlsx/reader.ts'

const NAMES = { 1: 'ООО «Первая Ёлка»', 2: '=HYPERLINK("http://127.0.0.1";"Вторая")' }
const WORKBOOK = '/reports/receipts.xlsx?from=2026-01-01&to=2026-12-31'
const OTHERS = [
  '/reports',
  '/reports/receipts',
  '/reports/receipts.csv',
  '/reports/receipts.csv?preset=excel',
  '/reports/receipts.ndjson',
  '/reports/receipts.parquet',
  '/reports/receipts/schema',
  '/metrics',
]

describe("an organization's name", () => {
  const folder = temporaryFolder()
  let change: (sql: string) => Promise<void>

  const world = gatewayOfBlock(
    async () => {
      const schema = readFileSync(join(SHOPS_SQL_DIR, '../schema.sql'), 'utf8')
      const database = await createTestDatabase('named_shops', schema)
      change = sql => database.change(sql)
      const names = Object.entries(NAMES).map(
        ([id, name]) => `update shops set name = '${name}' where id = ${id};`,
      )
      await change(`alter table shops add name varchar(300); ${names.join(' ')}`)
      cpSync(SHOPS_SQL_DIR, folder, { recursive: true })
      const file = join(folder, 'access/organization_by_key.sql')
      const text = readFileSync(file, 'utf8')
      writeFileSync(
        file,
        text.replace('as entitled', 'as entitled,\n    shops.name as organization_name'),
      )
      return { DATABASE_URL: database.replicaUrl, SQL_DIR: folder }
    },
    { now: () => NOON },
  )

  async function fetchWorkbook(shop: number, headers: Record<string, string> = {}) {
    const found = await world.ask(WORKBOOK, { key: `key of shop ${shop}`, headers })
    const lines = found.status === 200 ? readWorkbook(found.bytes).lines : []
    return { ...found, etag: found.headers.get('ETag') ?? '', lines }
  }

  it("is in its own workbooks, and not in another organization's", async () => {
    for (const [shop, name] of Object.entries(NAMES)) {
      const { lines, bytes } = await fetchWorkbook(Number(shop))
      expect(lines[1]).to.equal(name)
      const ping = await asker(world.gateway.url, `key of shop ${shop}`)('/ping')
      const timeZone = shop === '2' ? 'Asia/Vladivostok' : 'Europe/Moscow'
      const own = { organizationId: shop, organizationName: name, timeZone }
      expect(JSON.parse(ping.text)).to.include(own)
      const { part } = readWorkbook(bytes)
      expect(part('xl/worksheets/sheet1.xml')).not.to.include('<f>')
    }
    const unnamed = await fetchWorkbook(3)
    expect(unnamed.lines[1]).to.equal('Период: с 1 января по 31 декабря 2026 года')
  })

  it('is cut between characters', async () => {
    await change(`update shops set name = 'x' || repeat('🍏', 150) where id = 3`)
    const name = `x${'🍏'.repeat(99)}`
    expect((await fetchWorkbook(3)).lines[1]).to.equal(name)
    const { text } = await asker(world.gateway.url, 'key of shop 3')('/ping')
    expect(JSON.parse(text).organizationName).to.equal(name)
  })

  it('is never an old one, neither from the cache nor with 304', async () => {
    const first = await fetchWorkbook(1)
    const again = await fetchWorkbook(1)
    expect(again.bytes.equals(first.bytes)).to.equal(true)
    const notModified = { 'If-None-Match': first.etag }
    expect((await fetchWorkbook(1, notModified)).status).to.equal(304)
    await change(`update shops set name = 'ООО «Новая»' where id = 1`)
    const renamed = await fetchWorkbook(1, notModified)
    expect([renamed.status, renamed.lines[1]]).to.deep.equal([200, 'ООО «Новая»'])
    expect(renamed.etag).not.to.equal(first.etag)
    await change(`update shops set name = null where id = 1`)
    expect((await fetchWorkbook(1, notModified)).lines[1]).to.match(/^Период/)
    await change(`update shops set name = '${NAMES[1]}' where id = 1`)
    expect((await fetchWorkbook(1)).lines[1]).to.equal(NAMES[1])
  })

  it('is in no other response, and in no observation', async () => {
    for (const shop of [1, 2]) {
      const ask = asker(world.gateway.url, `key of shop ${shop}`)
      for (const path of OTHERS) {
        const { status, text, headers } = await ask(path)
        expect(status, path).to.equal(200)
        expect(`${text} ${JSON.stringify([...headers])}`, path).not.to.match(/Ёлка|HYPERLINK/)
      }
    }
    expect(JSON.stringify(world.gateway.observations)).not.to.match(/Ёлка|HYPERLINK|Новая/)
  })
})
