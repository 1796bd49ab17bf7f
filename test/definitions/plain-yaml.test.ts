import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parseDocument } from 'yaml'
import { readPlainYaml } from '../../src/definitions/plain-yaml.ts'

const SQL = new URL('../../../sql/', import.meta.url)
const HEADS = readdirSync(SQL, { recursive: true, encoding: 'utf8' })
  .filter(file => /\.(?:sql|yaml)$/.test(file))
  .map(file => readFileSync(new URL(file, SQL), 'utf8'))
  .flatMap(text => {
    if (!text.includes('/*---')) return text.startsWith('#') ? [text] : []
    return [text.slice(text.indexOf('/*---') + 5, text.indexOf('---*/'))]
  })
const SMALL = [
  'a: b',
  'a: { b: c, d: 1, e: "f, g" }',
  'a: [b, c]',
  'a: >-\n  b\n  c\nd: e',
  'a:\n  b: c\n  d: { e: { f: g } }\nh: "x \\"y\\""',
  'a: 5s\nb: true\nc: 10 %\n# d\ne():\n  f.g: h # i',
]
const PARTS =
  `  |\n|: | #|"|'|{|}|[|]|, |- |>-|>|&a |*a|!t |0|12|1.5|-5|0x1f|1e3|true|null|~|key: |{ a: b }|\\|?|%|@|\t|—|()|` +
  '\n\n|\n  |\n    |x|"q":|---|<<: |no|2026-12-01|1_000|.5|007|\u00a0|\u2028|\r\n|__proto__: '

/** @returns whether it was read; if so, the YAML parser read the same */
function isRead(text: string): boolean {
  const plain = readPlainYaml(text)
  if (plain === undefined) return false
  const document = parseDocument(text, { prettyErrors: false })
  expect(document.errors, text).to.deep.equal([])
  expect(plain.value, text).to.deep.equal(document.toJS() ?? {})
  return true
}

describe('Plain YAML', () => {
  it('is what the definitions of sql/ are written in', () => {
    expect(HEADS.length).to.be.above(30)
    expect(HEADS.filter(text => !isRead(text))).to.deep.equal([])
  })

  it('has none of what only looks plain', () => {
    const texts = [
      'a: { b: c, "b": d }',
      'a: { "__proto__": c }',
      'a: ["\\u0041]',
      'a: >-\n  b\n\n  # c',
      'a:\n  b: >-\n    c\n \n     \n',
    ]
    expect(texts.filter(isRead)).to.deep.equal([])
  })

  it('is found out quickly of long lines', () => {
    const startedAt = performance.now()
    for (const end of [':', '\u2028'])
      isRead(`a: [${'b'.repeat(30_000)}${' '.repeat(30_000)}${end}`)
    expect(performance.now() - startedAt).to.be.below(1000)
  })

  it('is read as by the YAML parser, or left to it, after any edit', () => {
    let seed = 1
    const below = (count: number): number =>
      (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % count
    const parts = PARTS.split('|')
    const bases = [...SMALL, ...SMALL, ...SMALL, ...HEADS.map(text => text.slice(0, 1500))]
    let readCount = 0
    for (let round = 0; round < 6000; round++) {
      let text = bases[below(bases.length)]!
      for (let edits = 1 + below(3); edits > 0; edits--) {
        const at = below(text.length + 1)
        const part = below(3) === 0 ? '' : parts[below(parts.length)]!
        text = text.slice(0, at) + part + text.slice(at + below(2) * below(5))
      }
      readCount += Number(isRead(text))
    }
    expect(readCount).to.be.above(1000)
  })
})
