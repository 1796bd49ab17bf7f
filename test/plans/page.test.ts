import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { planPage } from '../../src/author/plans/page.ts'
import type { Plan } from '../../src/author/plans/plan.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { useStandby } from './standby.ts'
import { skip } from '../harness/skip.ts'

const QUERY = `select id, name -- </script><script>document.title = 'broken'</script> <!--
from products where organization_id = $1 and name <> '<b>&amp;"' order by name desc`

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome']

describe('the page of a plan', function () {
  this.timeout(60_000)
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

  it('draws the nodes in a browser without a network', function () {
    const file = join(temporaryFolder(), 'plan.html')
    writeFileSync(file, page)
    const dom = drawnBy(pathToFileURL(file).href)
    if (dom === undefined) {
      skip(this, 'there is no chromium: install chromium')
    }
    const drawn = dom.replaceAll(/<(script|style)[^]*?<\/\1>/g, '')
    expect(/<title>(.*)<\/title>/.exec(drawn)?.[1]).to.equal('products &lt;of&gt; one &amp; all')
    const cards = drawn.split(/class="[^"]*plan-node-body/).slice(1)
    expect(cards).to.have.length(plan.nodes.length)
    const words = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    for (const [at, { type, table }] of plan.nodes.entries()) {
      expect(words(cards[at] ?? '').slice(0, 200))
        .to.contain(type)
        .and.contain(table ?? '')
    }
  })
})

/** The page after its scripts have run; undefined without a browser. */
function drawnBy(url: string): string | undefined {
  const options = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    `--user-data-dir=${temporaryFolder()}`,
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--virtual-time-budget=10000',
    '--dump-dom',
  ]
  for (const browser of BROWSERS) {
    const { stdout, error } = spawnSync(browser, [...options, url], { encoding: 'utf8' })
    if (error === undefined) return stdout
  }
  return undefined
}
