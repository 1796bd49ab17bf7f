// Two organizations, before and after midnight, in browsers all over the world: each sees its own day and clock.
import { expect } from 'chai'
import type { Page } from 'puppeteer-core'
import { shopsFolder } from '../contract/gateways.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { browserOfTests, catalogueShown, reportShown, textsOf } from './browser.ts'
import { EXPLORED } from './reports.ts'

/** The zone of -12 to 11 hours in which it is this hour now; `Etc/GMT+7` is seven hours behind UTC. */
const zoneOfHour = (hour: number): string => {
  const offset = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
}
const ZONES = { 'key of shop 1': zoneOfHour(22), 'key of shop 2': zoneOfHour(1) }
const ACCESS = 'access/organization_by_key.sql'
const dayIn = (timeZone: string) => new Date().toLocaleDateString('sv', { timeZone })

describe("an organization's day on the page", function () {
  this.timeout(30_000)
  const browser = browserOfTests()
  const zone = `case shops.id when 1 then '${ZONES['key of shop 1']}' else '${ZONES['key of shop 2']}' end as time_zone`
  const access = EXPLORED[ACCESS].replace('shops.zone as time_zone', zone)
  const folder = shopsFolder({ ...EXPLORED, [ACCESS]: access })
  const world = shopsGateway({ EXPLORER: 'on', SQL_DIR: folder }, { now: Date.now })
  const values = (page: Page) =>
    page.$$eval('.period select, .period input', all => all.map(({ value }) => value))

  const browsers = ['America/Los_Angeles', ...(IS_PROOF ? ['Europe/Moscow', 'Asia/Kamchatka'] : [])]
  for (const inBrowser of browsers)
    for (const [key, timeZone] of Object.entries(ZONES))
      it(`is that of ${timeZone} in ${inBrowser}`, async () => {
        const page = await browser.open({ url: world.gateway.url, key, zone: inBrowser })
        const day = dayIn(timeZone)
        await catalogueShown(page)
        const year = day.slice(0, 4)
        const local = day.split('-').toReversed().join('.')
        const yearToDate = ['yearToDate', `${year}-01-01`, day]
        expect(await values(page)).to.deep.equal(yearToDate)
        const [shown = ''] = await textsOf(page, '.cards + p')
        expect(shown).to.contain(`01.01.${year} — ${local}`).and.not.contain('будущими')
        await page.click('.report-link[href*=turnover]')
        const response = await page.waitForResponse(found => found.url().includes('.ndjson'))
        await reportShown(page)
        expect(await values(page)).to.deep.equal(yearToDate)
        expect(new URL(page.url()).search, 'tomorrow it shows tomorrow').to.equal(
          '?report=turnover',
        )
        const at = new Date(response.headers()['data-as-of']!)
        const options = { timeZone, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }
        const time = at.toLocaleTimeString('ru', options as Intl.DateTimeFormatOptions)
        const [printed = ''] = await page.$$eval('.content .printed', all =>
          all.map(({ textContent }) => textContent),
        )
        expect(printed).to.equal(`01.01.${year} — ${local}; Данные на ${local} ${time}`)
        expect((await textsOf(page, '.freshness'))[0]).to.contain(`Данные на ${time}, `)
        const valuesOf = async (report: string) => {
          await page.goBack()
          await catalogueShown(page)
          await page.click(`.report-link[href*=${report}]`)
          await reportShown(page)
          return values(page)
        }
        expect(await valuesOf('payers'), 'a state').to.deep.equal(['today', `${year}-01-01`, day])
        const wholeYear = ['year', `${year}-01-01`, `${year}-12-31`]
        expect(await valuesOf('due'), 'what is due').to.deep.equal(wholeYear)
      })
})
