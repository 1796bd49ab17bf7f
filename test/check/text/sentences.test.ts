import { expect } from 'chai'
import { foundIn } from './report-around.ts'

describe('rules of the text on sentences', () => {
  const wrong = {
    'За {period} продано на {amount} ₽.': '{amount} prints its ₽ itself',
    'За {period} продано на {amount} руб.': '{amount} prints its ₽ itself',
    'За {period} продано на {amount}, доля {share} %.': '{share} prints its % itself',
    "За {period} продано на '{amount}', строк {row_count}.": "'{amount} is printed as it stands",
    'За {period_dates} продано на {amount}.': '«за {period_dates}» prints',
    'На {amount} {row_count, plural, one {# чек} few {# чека} other {# чеков}} за {period}.':
      '{row_count, plural, ...} has no "many"',
  }
  for (const [summary, message] of Object.entries(wrong)) {
    it(`find: ${summary}`, () => {
      const found = foundIn({ summary })
      expect(found, found.join('\n')).to.have.lengthOf(1)
      expect(found[0]).to.contain(message)
    })
  }

  const right = [
    'Продано {period_dates} на {amount}, доля {share}, строк {row_count} % 3.',
    'На {amount} у {row_count, plural, one {# магазина} other {# магазинов}}.',
    'На {amount}, {row_count, plural, one {# чек} few {# чека} many {# чеков} other {# чека}}.',
  ]
  for (const summary of right) {
    it(`let pass: ${summary}`, () => {
      expect(foundIn({ summary })).to.deep.equal([])
    })
  }
})
