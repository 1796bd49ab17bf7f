import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { createLoadFingerprint } from '../../src/serve/body/load-fingerprint.ts'
import { makeReportRequest } from '../../src/serve/body/report-request.ts'
import { readFirst } from '../../src/serve/command-line/reloading.ts'
import type { StatementRequest } from '../../src/serve/replica/statement-request.ts'
import { ACCESS, REPORT } from '../definitions/sql-folder.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

describe('a fingerprint', () => {
  it('without SQL of its own begins with the comment, as other statements of the definition', async () => {
    const folder = temporaryFolder()
    const files = { 'sql/access/organization_by_key.sql': ACCESS, 'sql/reports/shop/a.sql': REPORT }
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    const { catalog } = await readFirst(join(folder, 'sql'))
    const organization = { id: '1', idType: 'bigint', timeZone: 'UTC', entitled: true }
    const period = { start: '2026-01-01', end: '2026-02-01' }
    const now = () => Date.parse('2026-11-24')
    let text = ''
    const begin = (statement: StatementRequest): never => {
      text = statement.text
      throw new Error('not executed')
    }
    const load = createLoadFingerprint({ replicas: { begin }, now })
    const request = makeReportRequest(organization as never, catalog.reports.get('a')!, period, now)
    await load(request, new AbortController().signal).catch(() => undefined)
    expect(text).to.match(/^\/\*definition='a',version='\w+'\*\/ select count\(\*\)/)
    expect(text.match(/definition=/g)).to.have.length(1)
  })
})
