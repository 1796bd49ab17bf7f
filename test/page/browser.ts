// A real Chromium for the tests of the page. After each test nothing may have been reported: a violation of the
// Content Security Policy, an error of a script, a login box, a request to another host.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface OpenOptions {
  readonly url: string
  /** After the question mark. */
  readonly query?: string
  /** Typed into the form; undefined leaves the form open. */
  readonly key?: string | undefined
  readonly language?: string
  readonly width?: number
  readonly isDark?: boolean
  readonly isReduced?: boolean
  /** IANA name; by default that of the machine. */
  readonly zone?: string
}

export interface TestBrowser {
  /** Opens the page, in the one tab that all tests of the file share, and types the key. */
  open(options: OpenOptions): Promise<Page>
  /** Another tab of the same profile, until the end of the test. */
  openTab(url: string): Promise<Page>
  /** What was reported until now; the list is emptied. */
  faults(): string[]
}

/** Registers hooks, which skip all tests without a browser. */
export function browserOfTests(): TestBrowser {
  const path = PATHS.find(existsSync)
  const faults: string[] = []
  let browser: Browser
  let tab: Page | undefined
  const others: Page[] = []
  let host = ''

  before(async function () {
    if (path === undefined) skip(this, 'there is no chromium: install chromium')
    browser = await launch({
      executablePath: path,
      userDataDir: temporaryFolder(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        // why: less time of processors; all pages of a test are of one site
        '--num-raster-threads=1',
        '--disable-site-isolation-trials',
        '--disable-features=site-per-process,IsolateOrigins',
      ],
    })
  })
  after(() => browser?.close())
  afterEach(async () => {
    await Promise.all(others.splice(0).map(page => page.close()))
    // why: each tab is a process of its own, which takes longer to start than most tests
    await tab?.evaluate('sessionStorage.clear()').catch(() => {})
    await tab?.goto('about:blank')
    expect(faults.splice(0)).to.deep.equal([])
  })

  async function watch(page: Page): Promise<void> {
    page.on('pageerror', error => faults.push(`error: ${String(error)}`))
    await page.exposeFunction('reportViolation', (what: string) => faults.push(`policy: ${what}`))
    await page.evaluateOnNewDocument(`addEventListener('securitypolicyviolation', event =>
      reportViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample))`)
    const client = await page.createCDPSession()
    // why: of all requests it would slow down the page
    const patterns = [{ urlPattern: '*/api/*' }]
    await client.send('Fetch.enable', { handleAuthRequests: true, patterns })
    client.on('Fetch.requestPaused', ({ requestId }) => {
      client.send('Fetch.continueRequest', { requestId }).catch(() => {})
    })
    page.on('request', request => {
      const { protocol, host: requested } = new URL(request.url())
      if (protocol.startsWith('http') && requested !== host)
        faults.push(`request to ${request.url()}`)
    })
    client.on('Fetch.authRequired', ({ requestId, request }) => {
      faults.push(`login box for ${request.url}`)
      const authChallengeResponse = { response: 'CancelAuth' } as const
      client.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
    })
  }

  async function createTab(): Promise<Page> {
    const context = tab?.browserContext() ?? (await browser.createBrowserContext())
    const page = await context.newPage()
    await watch(page)
    return page
  }

  return {
    faults: () => faults.splice(0),
    async openTab(url) {
      const page = await createTab()
      others.push(page)
      await page.setExtraHTTPHeaders({ 'Accept-Language': 'ru' })
      await page.goto(url)
      return page
    },
    async open({ url, query = '', key, language = 'ru', width = 1280, isDark, isReduced, zone }) {
      host = new URL(url).host
      const page = (tab ??= await createTab())
      await page.setExtraHTTPHeaders({ 'Accept-Language': language })
      // why: a reload does not need the key again
      await page.evaluate('sessionStorage.clear()').catch(() => {})
      await page.emulateTimezone(zone)
      await page.setViewport({ width, height: 800 })
      await page.emulateMediaType()
      await page.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' },
        { name: 'prefers-reduced-motion', value: isReduced ? 'reduce' : 'no-preference' },
      ])
      await page.goto(`${url}/${query}`)
      await page.waitForSelector('#key')
      if (key !== undefined) await logIn(page, key)
      return page
    },
  }
}

export async function logIn(page: Page, key: string): Promise<void> {
  // why: typing letter by letter takes as long as a view
  await page.evaluate(`document.querySelector('#key').value = ${JSON.stringify(key)}`)
  await page.bringToFront()
  await page.focus('#key')
  await page.keyboard.press('Enter')
  await page.waitForSelector('header, .message:not(:empty)')
}

/** Adds the text to that of a field, with one event: a view for each letter takes as long as the rest of a test. */
export async function enter(page: Page, selector: string, text: string): Promise<void> {
  await page.focus(selector)
  await page.keyboard.sendCharacter(text)
}

/** Waits until a report is shown, and nothing is being loaded. */
export async function reportShown(page: Page): Promise<void> {
  await page.waitForSelector('.content[aria-busy="false"] .sentence')
}

/** Waits until the catalogue and the metrics are shown. */
export async function catalogueShown(page: Page): Promise<void> {
  await page.waitForSelector('.report-link')
  await page.waitForSelector('.metric')
}

/** The text of each element, as it is rendered, with blanks for other white space. */
export async function textsOf(page: Page, selector: string): Promise<string[]> {
  const texts = await page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map(each => each.innerText)`,
  )
  return (texts as string[]).map(text => text.replaceAll(/\s+/g, ' ').trim())
}

/** Rules that the page breaks, with the elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = (await page.evaluate('axe.run()')) as {
    readonly violations: readonly {
      readonly id: string
      readonly nodes: readonly { readonly html: string }[]
    }[]
  }
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`,
  )
}
