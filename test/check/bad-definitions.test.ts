// The bad definitions without a database: findings of check, and those that prevent the gateway's start.
import { expect } from 'chai'
import {
  BAD,
  checked,
  expectFindings,
  folderOf,
  GOOD,
  goodDefinition,
  refused,
} from './bad-definitions.ts'

const deals = goodDefinition('new_deals')
const metrics = goodDefinition('won_deals')
const OTHER_METRICS = `/*---
metrics:
  sales_won: { title: Выиграно всего, format: integer }
---*/
select count(*) as sales_won
from deals
where deals.organization_id = :organization_id and deals.won_at < :period_end_at
`

/** Files that are correct one by one, their finding together, and whether they load. */
const FOLDERS: Array<[files: Record<string, string>, finding: string, loads?: true]> = [
  [
    {
      'reports/a/new_deals.sql': deals,
      'reports/b/new_deals.sql': deals.replace('title: Н', 'title: н'),
    },
    'sql/reports/b/new_deals.sql:1: report "new_deals" is also in sql/reports/a/new_deals.sql',
  ],
  [
    { 'reports/a/new_deals.sql': deals, 'reports/a/old_deals.sql': deals },
    'sql/reports/a/old_deals.sql:2: title: «Новые сделки» is the title of',
    true,
  ],
  [
    { 'metrics/a.sql': metrics, 'metrics/b.sql': OTHER_METRICS },
    'sql/metrics/b.sql:3: metric "sales_won" is also in sql/metrics/a.sql',
  ],
  [
    { 'reports/a/new_deals.sql': deals, 'reports/deals.sql': deals },
    'sql/reports/deals.sql: outside of a group',
  ],
  [{ 'reports/a/new_deals.sql': deals, 'reports/a/New-Deals.sql': deals }, 'bad name "New-Deals"'],
]

describe('bad definitions', () => {
  for (const { title, file, text, expected } of BAD) {
    it(`${file}: ${title}`, async () => {
      const directory = folderOf({ [file]: text })
      const withoutReplica = expected.filter(({ by }) => by !== 'replica')
      expectFindings(await checked(directory), withoutReplica)
      expectFindings(
        await refused(directory),
        expected.filter(({ by }) => by === 'load'),
      )
    })
  }

  for (const [files, finding, loads] of FOLDERS) {
    it(`have a finding in one folder: ${finding}`, async () => {
      const directory = folderOf(files)
      for (const found of [
        await checked(directory),
        ...(loads ? [] : [await refused(directory)]),
      ]) {
        expect(found).to.have.length(1)
        expect(found[0]).to.contain(finding)
      }
    })
  }

  for (const name of GOOD) {
    it(`derive from a correct definition: ${name}`, async () => {
      const text = goodDefinition(name)
      const folder = text.includes('\nmetrics:') ? 'metrics' : 'reports/good'
      expect(await checked(folderOf({ [`${folder}/${name}.sql`]: text }))).to.deep.equal([])
    })
  }
})
