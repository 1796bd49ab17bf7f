// The bad and the good line of each rule, the reference that is made of them, and allowances.
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { KINDS } from '../../src/author/check/check.ts'
import { referenceOf } from '../../src/author/check/reference.ts'
import { RULES } from '../../src/author/check/rules/list.ts'
import { findingsIn } from './corpus.ts'

const SALES = `/*---
title: Sales
columns:
  shop: { title: Shop, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
  share: { title: Share, type: percent, total: none }
  pieces: { title: Pieces, type: integer, total: none }
  price: { title: Price, type: number, total: none }
key: [shop]
summary: Sold for {amount}.
---*/
select sales.shop, sales.amount, sales.share, sales.pieces, sales.price
from sales
where sales.day >= :period_start and sales.day < :period_end
order by sales.id
`

/** A definition with the line in it. */
function definitionWith(line: string): string {
  const end = '\norder by sales.id\n'
  if (line.startsWith('and ')) return SALES.replace(end, `\n  ${line}${end}`)
  if (line.startsWith(', ')) {
    const same = `, sales.${/ as (\w+)$/.exec(line)?.[1]}`
    return SALES.includes(same)
      ? SALES.replace(same, line)
      : SALES.replace('\nfrom', `${line}\nfrom`)
  }
  if (line.startsWith('order by ')) return SALES.replace(end, `\n${line}\n`)
  if (/^(?:select|with) /.test(line)) {
    const asMetrics = line.includes(' as taken ')
    const head = asMetrics
      ? '/*---\nmetrics:\n  taken: { title: Taken, format: money }\n---*/'
      : SALES.slice(0, SALES.indexOf('---*/') + 5)
    return `${head}\n${line}${asMetrics ? '' : ' order by 1'}\n`
  }
  const key = /^(?:# )?(\w+):/.exec(line)?.[1] ?? ''
  const isOfColumn = line.includes('{ title:')
  const known = new RegExp(`^ *${key}: .*$`, 'm')
  if (known.test(SALES)) return SALES.replace(known, isOfColumn ? `  ${line}` : line)
  return SALES.replace('key: [', `${isOfColumn ? '  ' : ''}${line}\nkey: [`)
}

const idsIn = async (text: string): Promise<string[]> =>
  (await findingsIn(text)).flatMap(({ id }) => (id === 'load' ? [] : id))

describe('rules', () => {
  for (const { id, bad, good } of RULES.filter(one => one.needsCatalog !== true)) {
    it(`find the bad line and not the good one: ${id}`, async () => {
      expect(await idsIn(definitionWith(bad)), bad).to.include(id)
      expect(await idsIn(definitionWith(good)), good).to.not.include(id)
    })
  }

  it('are the reference', () => {
    expect(readFileSync('sql/findings.md', 'utf8')).to.equal(referenceOf(KINDS))
    expect(new Set(KINDS.map(({ id }) => id)).size).to.equal(KINDS.length)
  })
})

describe('an allowance', () => {
  const ALLOWED = 'allow: null-comparison because the rule is tested'
  for (const [what, line, ids] of [
    ['behind the line', `and sales.note = null -- ${ALLOWED}`, []],
    ['above the line', `and true -- x\n  -- ${ALLOWED}\n  and sales.note = null`, []],
    [
      'of another line',
      `and true -- ${ALLOWED}\n  and sales.note = null`,
      ['allowance', 'null-comparison'],
    ],
    [
      'without a reason',
      'and sales.note = null -- allow: null-comparison',
      ['allowance', 'null-comparison'],
    ],
    ['of an unknown id', 'and true -- allow: nul-comparison because', ['allowance']],
    ['of what only a database shows', 'and true -- allow: fan-out because pairs are counted', []],
  ] as const) {
    it(`${what}: ${ids.join(', ')}`, async () => {
      expect(await idsIn(definitionWith(line))).to.have.members(ids)
    })
  }

  it('in front matter is for the file', async () => {
    const text = definitionWith('and sales.note = null\n  and sales.kind = null')
    expect(await idsIn(text)).to.deep.equal(['null-comparison', 'null-comparison'])
    expect(await idsIn(text.replace('key: [shop]', `key: [shop] # ${ALLOWED}`))).to.deep.equal([])
  })
})
