// The form of the documents: complete, with valid links.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { codeOf, DOCUMENTS, readDocument, rowsOf, type Document } from '../harness/document.ts'

/** Topics that an operator searches for. */
const TOPICS = [
  'TLS to PostgreSQL',
  'TLS to clients',
  'Roles',
  'PgBouncer',
  'Several replicas',
  'Several gateways',
  'Lag',
  'Heartbeat',
  'Revocation',
  'Timeouts',
  'Pool size across gateways',
  'Memory',
  'Disk',
  'Health',
  'Stopping',
  'Reload',
  'Logs',
  'Stale responses',
  'Promotion',
  'Limits per organization',
]
/** Files that the reader creates. */
const MADE_BY_READERS = /expenses_by_day|replica\/heartbeat/

/** As GitHub generates them from headings. */
function anchorsOf({ sections }: Document): string[] {
  return sections.map(({ heading }) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documents', () => {
  it('begin with a README of at most two minutes', () => {
    const { text } = readDocument('README.md')
    expect(text.split('\n').length - 1).to.be.at.most(150)
    expect(Buffer.byteLength(text)).to.be.at.most(12 * 1024)
  })

  for (const path of DOCUMENTS) {
    it(`have valid links in ${path}`, () => {
      const document = readDocument(path)
      for (const [, link = ''] of document.text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (link.startsWith('https://')) continue
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? path : join(dirname(path), file)
        expect(existsSync(target), link).to.equal(true)
        if (anchor !== undefined) expect(anchorsOf(readDocument(target)), link).to.include(anchor)
      }
    })
  }

  it('name files and folders that exist', () => {
    const names = DOCUMENTS.flatMap(path => codeOf(readDocument(path).text))
    const paths = names.filter(name => /^(?:src|sql|test|config)\/[\w./-]+$/.test(name))
    expect(paths.length).to.be.above(10)
    const missing = paths.filter(path => !existsSync(path) && !MADE_BY_READERS.test(path))
    expect(missing).to.deep.equal([])
  })

  it("have each of the operator's topics as a heading", () => {
    const { sections } = readDocument('config/README.md')
    expect(sections.map(({ heading }) => heading)).to.include.members(TOPICS)
  })

  it("have each parameter of the API's paths exactly once", () => {
    const rows = rowsOf(readDocument('src/serve/README.md').section('Parameters'))
    const names = rows.flatMap(([name = '']) => codeOf(name))
    expect(names).to.deep.equal(['from', 'to', 'codes', 'compare', 'format', 'preset', 'end'])
  })
})
