// That the organizations of every run hit the edges that they are there for.
import { expect } from 'chai'
import { EDGES_OF_BALANCE } from './edges-of-balance.ts'
import { EDGES_OF_CALENDAR } from './edges-of-calendar.ts'
import { EDGES_OF_GOODS } from './edges-of-goods.ts'
import { EDGES_OF_LOSSES } from './edges-of-losses.ts'
import { EDGES_OF_MONEY } from './edges-of-money.ts'
import { EDGES_OF_ORDER } from './edges-of-order.ts'
import { EDGES_OF_PROJECTS } from './edges-of-projects.ts'
import { EDGES_OF_SALES } from './edges-of-sales.ts'
import { EDGES_OF_TIME } from './edges-of-time.ts'
import { EDGES_OF_WORK } from './edges-of-work.ts'
import { generateOrganization } from './organization.ts'
import { broken } from './promises.ts'
import { questionOf } from './question.ts'
import { SEEDS } from './seeds.ts'

const LEAST = 3
const EDGES = {
  'time and rows': EDGES_OF_TIME,
  money: EDGES_OF_MONEY,
  'what is expected': EDGES_OF_CALENDAR,
  'what is owned and owed': EDGES_OF_BALANCE,
  'projects and categories': EDGES_OF_PROJECTS,
  'sales and customers': EDGES_OF_SALES,
  goods: EDGES_OF_GOODS,
  'lost deals': EDGES_OF_LOSSES,
  'deals, tasks and requests': EDGES_OF_WORK,
  'rows that tie': EDGES_OF_ORDER,
}

describe(`each edge occurs ${LEAST} times or more among the organizations of every run`, () => {
  const organizations = SEEDS.map(seed => {
    const question = questionOf(seed)
    return { question, tables: generateOrganization(seed, question) }
  })

  it('but nothing that the product promises not to have', () => {
    for (const { question, tables } of organizations) expect(broken(tables, question)).to.equal('')
  })

  for (const [area, edges] of Object.entries(EDGES)) {
    describe(area, () => {
      for (const { name, occurs } of edges) {
        it(name, () => {
          const found = organizations.filter(({ question, tables }) => occurs(tables, question))
          expect(found.length).to.be.at.least(LEAST)
        })
      }
    })
  }
})
