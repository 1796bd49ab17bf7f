import { expect } from 'chai'
import { planPage } from '../../src/author/plans/page.ts'
import type { Plan } from '../../src/author/plans/plan.ts'
import { useStandby } from './standby.ts'

const QUERY = `select id, name -- </script><script>document.title = 'broken'</script> <!--
from products where organization_id = $1 and name <> '<b>&amp;"' order by name desc`

describe('the page of a plan', () => {
  const standby = useStandby()
  let plan: Plan
  let page: string

  before(async () => {
    plan = await standby.plan(QUERY)
    page = planPage({ title: 'products <of> one & all', plan: plan.raw, query: QUERY })
  })

  it('requests nothing from a server', () => {
    expect(page).to.contain(
      `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline';`,
    )
    const outside = page.replaceAll(/<(script|style)>[^]*?<\/\1>/g, '')
    expect(outside).to.not.match(/\b(src|href)=/)
    expect(page).to.not.contain('sourceMappingURL')
  })

  it('contains the statement unchanged, and no tag in it ends the script', () => {
    expect(page.match(/<script>/g)).to.have.length(3)
    expect(page).to.contain('<title>products &lt;of&gt; one &amp; all</title>')
    const drawn = /^const drawn = (.*)$/m.exec(page)?.[1] ?? ''
    const { planSource, planQuery } = JSON.parse(drawn) as { planSource: string; planQuery: string }
    expect(planQuery).to.equal(QUERY)
    expect(JSON.parse(planSource)).to.deep.equal(plan.raw)
  })
})
