import { expect } from 'chai'
import { reportProblems, reportWith } from './sql-folder.ts'

/** The definition that is all right, with something else in it, and what is found. */
const refused: Array<[title: string, found: string, replaced: string, problems: string[]]> = [
  ['no front matter', '/*---', '/*', ['1: no front matter, expected the file to begin with /*---']],
  [
    'an unknown key, with its likely spelling',
    'key: [shop]',
    'keys: [shop]',
    ['6: unknown key "keys", did you mean "key"?'],
  ],
  [
    'a key of a later version',
    'key: [shop]',
    'owner: finance',
    [
      '6: unknown key "owner", expected one of title, columns, key, facts, summary, emptySummary, fresh, stale, maxLag, timeout, budget, maxRows',
    ],
  ],
  [
    'an unknown key of a column',
    'type: text',
    'type: text, hiden: true',
    ['4: columns.shop: unknown key "hiden", did you mean "hidden"?'],
  ],
  [
    'a key that stands twice',
    'key: [shop]',
    'key: [shop]\nkey: [shop]',
    ['7: key "key" again, expected each key once'],
  ],
  [
    'a column that stands twice',
    'key: [shop]',
    '  shop: { title: Магазин, type: text }',
    ['6: key "shop" again, expected each key once'],
  ],
  ['a tab', '  amount:', '\tamount:', ['5: a tab in YAML, expected blanks as indentation']],
  ['a missing title', 'title: Продажи\n', '', ['1: no key "title", expected a title in Russian']],
  [
    'a missing title of a column',
    'title: Магазин, ',
    '',
    ['4: columns.shop: no key "title", expected a title in Russian'],
  ],
  [
    'an empty title',
    'title: Продажи',
    'title:',
    ['2: title: found nothing, expected a title in Russian'],
  ],
  [
    'a number where a text belongs',
    'title: Продажи',
    'title: 2026',
    ['2: title: found 2026, expected a title in Russian'],
  ],
  [
    'an unknown type',
    'type: money',
    'type: mony',
    [
      '5: columns.amount.type: found "mony", expected a type: text, date, month, datetime, integer, number, percent, money; did you mean "money"?',
    ],
  ],
  [
    'a duration without a unit',
    'key: [shop]',
    'timeout: 5',
    ['6: timeout: found 5, expected a duration such as 5s, 10m or 24h'],
  ],
  [
    'a timeout that no client waits for',
    'key: [shop]',
    'timeout: 1m',
    ['6: timeout: found 1m, expected more than 0 and at most 45s'],
  ],
  [
    'a lag that is shorter than a look at the replica takes',
    'key: [shop]',
    'maxLag: 1s',
    ['6: maxLag: found 1s, expected at least 2s'],
  ],
  [
    'a key that is no list',
    'key: [shop]',
    'key: shop',
    ['6: key: found "shop", expected a list of column keys, each once, such as [category]'],
  ],
  [
    'no rows at all',
    'key: [shop]',
    'maxRows: 0',
    ['6: maxRows: found 0, expected a whole number of rows above 0'],
  ],
  [
    'many things at once, in the order of the file',
    'title: Продажи\n',
    'titel: Продажи\nfresh: 60s\n',
    [
      '2: unknown key "titel", did you mean "title"?',
      '3: fresh: found "60s", expected durations, such as { open: 60s, closed: 1h }',
    ],
  ],
]

describe('front matter', () => {
  for (const [title, found, replaced, problems] of refused) {
    it(`refuses ${title}`, () => {
      expect(reportProblems(reportWith(found, replaced))).to.deep.equal(problems)
    })
  }

  it('says that a text which begins with a brace needs quotes', () => {
    const text = reportWith('summary: За {period}', 'summary: {period_dates}')
    expect(reportProblems(text).join()).to.match(/^7: YAML: .*expected quotes around a text/)
    const whole = reportWith('summary: За {period} продано на {amount}.', 'summary: {amount}')
    expect(reportProblems(whole)).to.deep.equal([
      '7: summary: found keys and values, expected a sentence in ICU MessageFormat; a text that begins with { needs quotes',
    ])
  })

  it('says where front matter has no end', () => {
    expect(reportProblems(reportWith('---*/', '---'))).to.include(
      '1: front matter without its end, expected ---*/ behind it',
    )
  })

  it('refuses an alias of nothing', () => {
    expect(reportProblems(reportWith('[shop]', '*shop')).join()).to.contain('1: ')
  })

  it('reads a file with a byte order mark, blank lines and carriage returns', () => {
    const text = reportWith('title: Продажи', 'title: 5').replaceAll('\n', '\r\n')
    expect(reportProblems(`\uFEFF\r\n${text}`)).to.deep.equal([
      '3: title: found 5, expected a title in Russian',
    ])
  })

  it('lets notes follow keys', () => {
    expect(reportProblems(reportWith('key: [shop]', 'key: [shop] # unique'))).to.deep.equal([])
  })
})
