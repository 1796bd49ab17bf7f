import { expect } from 'chai'
import { gatewayOfBlock } from '../harness/shops-gateway.ts'
import { axeViolations, browserOfTests, catalogueShown, reportShown, textsOf } from './browser.ts'

const LOOKS = {
  wide: {},
  '320 pixels wide and dark': { width: 320, isDark: true },
  'dark, in English, with reduced motion': { isDark: true, isReduced: true, language: 'en' },
}

describe("every view with the demo's data", function () {
  this.timeout(300_000)
  const browser = browserOfTests()
  const key = 'sk_demo_large'
  const world = gatewayOfBlock({ EXPLORER: 'on' }, { database: 'demo' })

  for (const [name, look] of Object.entries(LOOKS)) {
    it(`is accessible and no wider than the screen: ${name}`, async () => {
      const page = await browser.open({ url: world.gateway.url, key, ...look })
      await catalogueShown(page)
      const hrefs = await page.$$eval('.report-link', links => links.map(({ search }) => search))
      expect(hrefs).to.have.length.greaterThan(20)
      for (const href of ['', ...hrefs, '?view=reference']) {
        // why: a link of the page does not load it again
        await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/${href}`)})
          dispatchEvent(new PopStateEvent('popstate'))`)
        if (href.includes('report=')) await reportShown(page)
        await page.waitForNetworkIdle({ idleTime: 100 })
        // a month is named once, in either language
        if (href.includes('profit_loss'))
          expect((await textsOf(page, '.table thead th'))[1]).to.equal('Доходы')
        expect(await axeViolations(page), href).to.deep.equal([])
        expect(await page.evaluate('document.body.scrollWidth <= innerWidth'), href).to.equal(true)
      }
    })
  }
})
