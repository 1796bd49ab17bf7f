import { expect } from 'chai'
import type { BenchOrganization } from '../product.ts'
import { scriptOf } from './floor.ts'
import { inOrder, picksScript, stormScript } from './storm-script.ts'
import { ID_TYPE, subjectOf } from './subject.ts'

const organizations: BenchOrganization[] = [...Array(6).keys()].map(n => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  name: `Organization ${n}`,
  timeZone: n % 2 === 0 ? 'Europe/Moscow' : 'Asia/Vladivostok',
  postedThisYear: n,
  keys: [`sk_bench_000${n}`],
}))
const storm = ['profit_loss', 'stock_balance', 'sales_funnel'].map(code =>
  organizations.map(organization => subjectOf(organization, code)),
)

describe('the storm', () => {
  it('asks each report of each organization once', () => {
    const asked = inOrder(storm).map(({ definition, key }) => `${definition.code} ${key}`)
    expect(asked).to.have.length(18)
    expect(new Set(asked)).to.have.length(18)
  })

  it('goes from one organization to another between two reports', () => {
    const keys = inOrder(storm).map(({ key }) => key)
    expect(keys.every((key, index) => key !== keys[index + 1])).to.equal(true)
  })

  it('gives pgbench the same, shared out among its connections', () => {
    const share =
      /\\if \(:turn \+ (\d+)\) % 2 = :client_id\n\\set place \(:turn \+ (\d+)\) % 6 \+ 1/g
    const pieces = [...stormScript(storm, 2).matchAll(share)]
    const runs: string[] = []
    for (let turn = 0; turn < organizations.length; turn++) {
      for (const client of [0, 1]) {
        for (const [, report, ahead] of pieces) {
          if ((turn + Number(report)) % 2 !== client) continue
          const subject = storm[Number(report)]?.[(turn + Number(ahead)) % 6]
          runs.push(`${subject?.definition.code} ${subject?.key}`)
        }
      }
    }
    const asked = inOrder(storm).map(({ definition, key }) => `${definition.code} ${key}`)
    expect(runs.toSorted()).to.deep.equal(asked.toSorted())
  })

  it('picks the same organizations without the reports', () => {
    const whole = stormScript(storm, 2)
    const runs = storm.map(([subject]) =>
      subject ? scriptOf(subject.definition.statement.text(ID_TYPE)) : '',
    )
    expect(runs.every(text => whole.includes(text))).to.equal(true)
    const without = runs.reduce((script, text) => script.replace(text, () => ''), whole)
    expect(picksScript(storm, 2)).to.equal(without)
  })
})
