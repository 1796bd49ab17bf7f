import { expect } from 'chai'
import { EN_PROBLEMS } from '../../src/texts/en/problems.ts'
import { filled } from '../../src/texts/texts.ts'
import { load, METRICS, problemsOf, REPORT } from './sql-folder.ts'

const PRODUCT =
  'language: en\ncurrency: { code: EUR }\ntotal: Total\nkeys: "Settings > API"\ntier: Business\npage: { groups: { shop: Shop } }\n'
const FILES = { 'reports/shop/sales.sql': REPORT, 'metrics/shop.sql': METRICS }

const loadWith = (product: string) => load({ ...FILES, 'product.yaml': product })
const hashesOf = async (product: string): Promise<string[]> => {
  const { reports, metricsFiles } = await loadWith(product)
  return [...reports.values(), ...metricsFiles.values()].flatMap(one => [
    one.version,
    one.statementHash,
  ])
}

describe('product.yaml', () => {
  it('says the language, the currency and the words of a product', async () => {
    const { product, reports } = await loadWith(PRODUCT)
    const words = { language: 'en', total: 'Total', keys: 'Settings > API', tier: 'Business' }
    const groups = { shop: 'Shop' }
    expect(product).to.deep.equal({
      ...words,
      currency: { code: 'EUR', digits: 2 },
      page: { groups },
    })
    expect(reports.get('sales')?.product).to.equal(product)
  })

  it('may have words of a tier and none of keys, and the other way round', () => {
    const { keyInvalid, titles } = EN_PROBLEMS
    const words = (tier: string, keys: string) =>
      [titles.module_locked, keyInvalid, '{keys}'].map(text => filled(text, 'en', { tier, keys }))
    const [required, created] = [
      'tier is required',
      'The key is unknown or revoked. Create another one',
    ]
    expect(words('Pro', '')).to.deep.equal([
      `The Pro ${required}`,
      `${created} in your web account.`,
      '{keys}',
    ])
    expect(words('', 'Keys')).to.deep.equal([
      `The Business ${required}`,
      `${created} in Keys.`,
      '{keys}',
    ])
  })

  it('may be left out by a Russian product in roubles', async () => {
    const { product } = await load(FILES)
    expect(product).to.deep.include({ language: 'ru', currency: { code: 'RUB', digits: 2 } })
    expect(product.total).to.equal('Итого')
  })

  for (const [written, digits] of [
    ['code: JPY', 0],
    ['code: KWD', 3],
    ['code: IQD', 3],
    ['code: HUF', 2],
    ['code: CLF', 4],
    ['code: UGX, digits: 2', 2],
    ['code: BTC, digits: 4', 4],
  ] as const) {
    it(`has a currency with digits of ISO 4217, or its own: ${written}`, async () => {
      const { product } = await loadWith(PRODUCT.replace('code: EUR', written))
      expect(product.currency.digits).to.equal(digits)
    })
  }

  it('is part of the hash of each definition', async () => {
    const hashes = await hashesOf(PRODUCT)
    for (const same of [`# a comment\n${PRODUCT}`, PRODUCT.replace('shop: Shop', 'shop: Sales')])
      expect(await hashesOf(same)).to.deep.equal(hashes)
    for (const other of [PRODUCT.replace('EUR', 'JPY'), PRODUCT.replace('Total', 'Sum'), '']) {
      const others = await hashesOf(other)
      expect(others.filter(hash => hashes.includes(hash))).to.deep.equal([])
    }
  })

  for (const [found, replaced, problem] of [
    [
      'total: Total\n',
      '',
      '1: no key "total", expected the label of the totals row, such as Total',
    ],
    ['keys', 'key', '4: unknown key "key", did you mean "keys"?'],
    ['en', 'eng', '1: language: found "eng", did you mean "en"?'],
    ['EUR', 'EURO', '2: currency.code: found "EURO", expected three capital letters, such as EUR'],
    [
      'EUR',
      'BTC',
      '2: currency.code: found "BTC", expected a code of ISO 4217, or its digits too, as { code: BTC, digits: 2 }',
    ],
    ['EUR', 'EUR, digits: 9', '2: currency.digits: found 9, expected a whole number from 0 to 4'],
    ['EUR', 'EUR, sign: E', '2: currency: unknown key "sign"'],
    [
      'groups: { shop: Shop }',
      'cards: { sold: 12 }',
      '6: page.cards.sold: found 12, expected none',
    ],
    ['groups: { shop: Shop }', 'groups: { shops: Shop }', ' page: no folder of reports "shops", '],
    ['groups: { shop: Shop }', 'cards: { solt: none }', ' page: no metric "solt", '],
    [
      'groups: { shop: Shop }',
      'shortfall: sale.amount',
      ' page: no report "sale", did you mean "sales"?',
    ],
    [
      'groups: { shop: Shop }',
      'shortfall: sales.amout',
      ' page: no column of sales "amout", did you mean "amount"?',
    ],
  ] as const) {
    it(`is refused with ${replaced || 'a key missing'}`, async () => {
      const problems = await problemsOf({
        ...FILES,
        'product.yaml': PRODUCT.replace(found, replaced),
      })
      expect(problems).to.have.length(1)
      expect(problems[0]).to.contain(`sql/product.yaml:${problem}`)
    })
  }
})
