import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Page } from 'puppeteer-core'
import { KIT } from '../../src/kit/tools.ts'
import { RU_KIT } from '../../src/texts/ru/kit.ts'
import { needs } from '../clients/clients.ts'
import { shopsFolder } from '../contract/gateways.ts'
import { setScope } from '../contract/scopes.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import {
  axeViolations,
  browserOfTests,
  catalogueShown,
  enter,
  logIn,
  reportShown,
  textsOf,
} from './browser.ts'
import { EXPLORED, HOSTILE, LONG, NAME } from './reports.ts'

const KEY = 'key of shop 1'

describe('the page in a browser', function () {
  this.timeout(30_000)
  const browser = browserOfTests()
  const world = shopsGateway({ EXPLORER: 'on', SQL_DIR: shopsFolder(EXPLORED) })
  const open = (
    query = '',
    more: Partial<Parameters<typeof browser.open>[0]> = {},
  ): Promise<Page> => browser.open({ url: world.gateway.url, query, key: KEY, ...more })
  const report = async (query: string, more: Partial<Parameters<typeof browser.open>[0]> = {}) => {
    const page = await open(query, more)
    await reportShown(page)
    return page
  }

  /** Saves with a button of the menu. @returns the file's name and text */
  async function saverOf(page: Page): Promise<(button: number) => Promise<[string, string]>> {
    await page.evaluate(`(() => {
      window.saved = []
      URL.createObjectURL = blob => (saved.push({ blob }), 'blob:none')
      HTMLAnchorElement.prototype.click = function () { saved.at(-1).name = this.download }
    })()`)
    return async button => {
      const count = Number(await page.evaluate('saved.length'))
      await page.click('.menu summary')
      await page.click(`.choices button:nth-of-type(${button})`)
      await page.waitForFunction(`saved.length > ${count}`)
      const text = `saved.at(-1).blob.arrayBuffer().then(bytes =>
        new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))`
      return [String(await page.evaluate('saved.at(-1).name')), String(await page.evaluate(text))]
    }
  }

  it('notices a login box, which a request with credentials opens', async () => {
    const page = await open('', { key: undefined })
    await page.evaluate(`fetch('/api/public/v1/ping').then(response => response.status)`)
    expect(browser.faults()).to.deep.equal([
      `login box for ${world.gateway.url}/api/public/v1/ping`,
    ])
  })

  it('asks again for a key that is not valid, without a login box', async () => {
    const page = await open('?report=turnover', { key: 'no such key' })
    await page.waitForSelector('.message:not(:empty)')
    expect(await textsOf(page, '.message')).to.deep.equal([
      'Ключ API не действует. Проверьте, что ключ скопирован целиком. Если его отозвали, создайте новый в личном кабинете.',
    ])
    await logIn(page, KEY)
    await reportShown(page)
    expect(await page.title()).to.equal(`Счёт по месяцам — ${NAME} — Сводка`)
    expect(await textsOf(page, 'header .organization')).to.deep.equal([NAME])
  })

  it('has a form that password managers know', async () => {
    const page = await open('', { key: undefined })
    const fields = await page.$$eval('form input', inputs =>
      inputs.map(input => [input.type, input.autocomplete]),
    )
    expect(fields.slice(0, 2)).to.deep.equal([
      ['text', 'username'],
      ['password', 'current-password'],
    ])
    expect(await axeViolations(page)).to.deep.equal([])
  })

  it('finds reports by the beginnings of words, and by keywords, with е for ё', async () => {
    const page = await open()
    await catalogueShown(page)
    const find = async (text: string) => {
      await page.$eval('input[type=search]', input => (input.value = ''))
      await enter(page, 'input[type=search]', text)
      return textsOf(page, '.report-link .title')
    }
    expect(await find('долг')).to.deep.equal(['Счёт по месяцам'])
    expect(await find('счет мес')).to.deep.equal(['Счёт по месяцам'])
    expect(await find('чет')).to.deep.equal([])
    expect(await find('выручки')).to.deep.equal(['Счёт по месяцам'])
    expect(await find('чек')).to.deep.equal(['Чеки', 'Чеки по месяцам'])
    await page.keyboard.press('Enter')
    await reportShown(page)
    expect(await textsOf(page, 'h1')).to.deep.equal(['Чеки'])
  })

  it('shows metrics with their changes and the compared dates, and finds them', async () => {
    const page = await open('?from=2026-01-01&to=2026-01-31')
    await catalogueShown(page)
    await page.waitForFunction(`document.querySelectorAll('.metric .change').length === 14`)
    const card = (await textsOf(page, '.metric')).find(text => text.startsWith('Выручка'))
    expect(card).to.equal('Выручка 100,50 ₽ +100,50 ₽ к прошлому году +100,50 ₽ к прошлому периоду')
    expect(await textsOf(page, '.cards + p')).to.deep.equal([
      'Показано: 01.01.2026 — 31.01.2026 С прошлым годом: 01.01.2025 — 31.01.2025 С прошлым периодом: 01.12.2025 — 31.12.2025',
    ])
    await enter(page, 'input[type=search]', 'сред чек')
    expect(await textsOf(page, '.group dt')).to.deep.equal(['Средний чек'])
    await enter(page, 'input[type=search]', 'х')
    expect(await textsOf(page, '.groups')).to.deep.equal([
      'Ничего не нашлось. Попробуйте другое слово.',
    ])
    // a receipt of 31 December is no part of what is compared
    const unfinished = await open('?from=2026-11-01&to=2026-12-31')
    await catalogueShown(unfinished)
    expect((await textsOf(unfinished, '.cards + p'))[0]).to.match(
      /^Показано: 01\.11\.2026 — 21\.11\.2026, без данных будущих дат/,
    )
    const cards = await textsOf(unfinished, '.metric')
    expect(cards.find(text => text.startsWith('Выручка'))).to.match(/^Выручка 0,00 ₽/)
  })

  it('leads from a row to what its link names, and back, and from a row without it nowhere', async () => {
    const page = await report('?report=receivables&from=2026-01-01&to=2026-03-31')
    expect(await textsOf(page, '.table tbody a')).to.deep.equal(['ООО «Ель»'])
    expect(await textsOf(page, '.bars a')).to.deep.equal(['ООО «Ель»'])
    await page.click('.bars a')
    await page.waitForFunction(`document.querySelector('h1').innerText === 'Документы'`)
    await reportShown(page)
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      report: 'debts',
      from: '2026-01-01',
      to: '2026-03-31',
      'by.inn': '7700000001',
    })
    expect(await textsOf(page, '.table tbody th')).to.deep.equal(['А-1', 'А-2'])
    expect(await textsOf(page, 'tfoot tr')).to.deep.equal(['Итого 300,00 ₽'])
    await page.goBack()
    await reportShown(page)
    expect(await page.evaluate('document.activeElement.innerText')).to.equal('ООО «Ель»')
    await page.click('.table tbody a')
    await page.waitForFunction(`document.querySelector('h1').innerText === 'Документы'`)
  })

  it('shows a report: sentence, totals, roubles, negatives with a minus', async () => {
    const page = await report('?report=turnover&from=2026-01-01&to=2026-03-31')
    expect(await textsOf(page, '.sentence')).to.deep.equal([
      'За период с 1 января по 31 марта 2026 года доход 7 407 402,00 ₽.',
    ])
    expect(await textsOf(page, '.table tbody tr')).to.deep.equal([
      'Месяц 1 1 234 567,00 ₽ −1 000,00 ₽ январь 2026',
      'Месяц 2 2 469 134,00 ₽ 0,00 ₽ февраль 2026',
      'Месяц 3 3 703 701,00 ₽ 1 000,00 ₽ март 2026',
    ])
    expect(await textsOf(page, 'tfoot tr')).to.deep.equal(['Итого 7 407 402,00 ₽ 0,00 ₽'])
    expect(await textsOf(page, 'td.negative')).to.deep.equal(['−1 000,00 ₽'])
    expect((await textsOf(page, '.freshness'))[0]).to.match(/^Данные на \d\d/)
    const columns = await page.$$eval('svg .column', all => all.length)
    expect(columns, 'of the chart: two measures').to.equal(6)
  })

  it('aligns the decimals of a column, and cuts no name on a phone', async () => {
    const page = await report('?report=weights', { width: 320 })
    expect(await textsOf(page, '.table tbody tr')).to.deep.equal([
      'Кофе 12,000 2,5 %',
      `${LONG} 0,125 97,0 %`,
    ])
    // why: columns are fitted once the size of the table is known
    await page.waitForFunction(
      '[...document.querySelectorAll("tbody th")].every(th => th.scrollWidth <= th.clientWidth)',
    )
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(320)
  })

  it('shows the newest documents first, then money, and ids if asked', async () => {
    const year = new Date().getFullYear()
    const page = await report(`?report=payments&from=${year}-01-01&to=${year + 1}-01-31`)
    expect(await textsOf(page, '.sentence + .beneath'), 'the metrics end today').to.deep.equal([
      `Показано: 01.01.${year} — 31.01.${year + 1}, с данными будущих дат`,
    ])
    expect(await textsOf(page, '.table thead th')).to.deep.equal([
      'Покупатель',
      'Сумма',
      'Оплачен',
      'Назначение',
    ])
    expect((await textsOf(page, '.table tbody tr'))[0]).to.equal(
      'Покупатель 0 20,00 ₽ 21.01.2026 Счёт',
    )
    expect(await textsOf(page, '[aria-sort=descending]')).to.deep.equal(['Оплачен'])
    expect(await textsOf(page, 'tfoot tr')).to.deep.equal(['Итого 210,00 ₽'])
    await page.click('.rows input[type=checkbox]')
    expect((await textsOf(page, '.table thead th')).at(-1)).to.equal('Номер')
    await page.click('thead th:nth-child(5) button')
    expect((await textsOf(page, '.table tbody tr td:last-child')).slice(0, 2)).to.deep.equal([
      'P-1',
      'P-2',
    ])
  })

  it('finds numbers and days as they are shown, and as programs write them', async () => {
    const found = async (query: string, texts: readonly string[]) => {
      const page = await report(query)
      const rows = []
      for (const text of texts) {
        await page.$eval('.rows input[type=search]', input => (input.value = ''))
        await enter(page, '.rows input[type=search]', text)
        rows.push((await textsOf(page, '.table tbody th')).join())
      }
      return new Set(rows)
    }
    const turnover = '?report=turnover&from=2026-01-01&to=2026-03-31'
    const numbers = ['2 469 134,00', '2469134,00', '2469134.00', '2 469 134.00 ₽', '2469134']
    expect(await found(turnover, numbers)).to.deep.equal(new Set(['Месяц 2']))
    const negatives = ['-1 000,00', '-1000,00', '−1000.00']
    expect(await found(turnover, negatives)).to.deep.equal(new Set(['Месяц 1']))
    const days = ['21.01.2026', '21.1.2026', '2026-01-21']
    expect(await found('?report=payments', days)).to.deep.equal(new Set(['Покупатель 0']))
  })

  it('draws the declared chart of the rows that are found, in their order', async () => {
    const page = await report('?report=payers')
    const drawn = async () => (await textsOf(page, '.bars li')).slice(0, 2)
    expect(await drawn()).to.deep.equal(['Покупатель 0 30,00 ₽', 'Покупатель 9 28,00 ₽'])
    expect(await textsOf(page, '.drawing + p')).to.deep.equal(['8 из 10'])
    await page.click('thead th:nth-child(1) button')
    expect(await drawn()).to.deep.equal(['Покупатель 0 30,00 ₽', 'Покупатель 1 12,00 ₽'])
    await enter(page, '.rows input[type=search]', 'P-1')
    expect(await drawn()).to.deep.equal(['Покупатель 0 10,00 ₽', 'Покупатель 1 12,00 ₽'])
    await page.select('.chart select', 'none')
    expect(page.url()).to.contain('chart=none')
    expect(await textsOf(page, '.bars')).to.deep.equal([])
    await page.click('thead th:nth-child(3) button')
    expect(page.url(), 'dates: the newest first').to.contain('sort=-paid_on')
  })

  it('names each month that is compared, and draws it beside the one that it is compared with', async () => {
    const page = await report('?report=by_month&from=2026-01-01&to=2026-02-28&compare=previous')
    expect(await textsOf(page, '.table tbody tr')).to.deep.equal([
      'январь 2026 ноябрь 2025 0,10 ₽ — · +0,10 ₽ магазин',
      'декабрь 2025 декабрь 2025 — 0,12 ₽ · −100 % магазин',
    ])
    const drawn = async (from: Page, selector: string) =>
      (await from.$$eval(selector, all => all.map(each => each.textContent))).map(text =>
        text.replaceAll(/\s+/g, ' '),
      )
    // December is compared with February, which has no row
    expect(await drawn(page, '.chart svg > text')).to.deep.equal(['янв 2026', 'дек 2025'])
    expect(await drawn(page, '.point title')).to.deep.equal([
      'январь 2026 / ноябрь 2025 Сумма: 0,10 ₽',
      'декабрь 2025 / декабрь 2025 Сумма: — (0,12 ₽)',
    ])
    // 24 days of January beside a whole February: neither the row nor the sum of found rows has a change
    const cut = await report('?report=by_month&from=2026-01-25&to=2026-03-05&compare=previous')
    expect(await textsOf(cut, 'tfoot tr')).to.deep.equal(['Итого 0,30 ₽ 0,10 ₽ · +200 %'])
    await enter(cut, '.rows input[type=search]', 'янв')
    expect(await textsOf(cut, '.table tbody tr, tfoot tr')).to.deep.equal([
      'январь 2026 январь 2026 — 0,10 ₽ магазин',
      'Итого по найденному 0,00 ₽ 0,10 ₽',
    ])
    // of documents, only those of the period
    const days = await report('?report=documents&from=2026-01-01&to=2026-01-31&compare=year')
    expect((await days.$$('.table tbody tr')).length).to.equal(40)
    expect((await drawn(days, '.point title'))[0]).to.equal('02.01 Сумма: 1,00 ₽')
    expect(await drawn(days, '.legend span')).to.deep.equal(['Сумма'])
  })

  it('asks for one day, if the figures are those of a day', async () => {
    const year = new Date().getFullYear()
    const page = await report(`?report=payers&from=${year}-01-01&to=${year}-01-01`)
    const shown = '.dates input'
    const values = await page.$$eval(shown, all =>
      all.filter(each => each.offsetParent !== null).map(({ value }) => value),
    )
    expect(values).to.deep.equal([`${year}-01-01`])
    await page.select('.period select', 'lastYear')
    const lastYear = year - 1
    await page.waitForFunction(`location.search.includes('to=${lastYear}-12-31')`)
    expect(page.url()).to.contain(`from=${lastYear}-01-01`)
    await reportShown(page)
    await page.evaluate(
      `HTMLAnchorElement.prototype.click = function () { document.body.title = this.download }`,
    )
    await page.click('.menu summary')
    await page.click('.choices button')
    await page.waitForFunction(
      `document.body.title.startsWith('Плательщики ${lastYear}-12-31, ООО')`,
    )
  })

  it('copies a script for the shown report and period, without the key and a mouse', async () => {
    const page = await report('?report=turnover&from=2026-02-01&to=2026-03-30')
    const loaded = 'performance.getEntries().filter(({ name }) => name.includes("/kit/")).length'
    expect(await page.evaluate(loaded)).to.equal(0)
    await page.focus('[aria-haspopup]')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog pre')
    for (const [tool, { title }] of Object.entries(KIT)) {
      await page.select('dialog select', tool)
      const [script = ''] = await page.$$eval('dialog pre', all => all.map(each => each.innerText))
      expect(script, title)
        .to.contain('turnover')
        .and.match(/2026-?02-?01/)
        .and.match(/2026-?03-?30/)
        .and.contain(new URL(world.gateway.url).port)
        .and.not.contain(KEY)
    }
    expect(await textsOf(page, 'dialog option')).to.deep.equal(
      Object.values(KIT).map(({ title }) => RU_KIT[title] ?? title),
    )
    const context = page.browserContext()
    await context.overridePermissions(world.gateway.url, [
      'clipboard-read',
      'clipboard-sanitized-write',
    ])
    await page.focus('dialog .actions button')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog [role=status]:not(:empty)')
    const pasted = await page.evaluate('navigator.clipboard.readText()')
    expect(pasted).to.equal(await page.$eval('dialog pre', ({ textContent }) => textContent))
    expect(await axeViolations(page)).to.deep.equal([])
    await page.keyboard.press('Escape')
    expect(await page.evaluate(`document.activeElement.matches('[aria-haspopup]')`)).to.equal(true)
  })

  it('shows what the key may read, and its values alone', async () => {
    const key = 'key of a page'
    await setScope(world.shops, key, "array['report:selected']", { sort: 'odd' })
    const catalogue = await open('?from=2026-01-01&to=2026-01-31', { key })
    await catalogue.waitForSelector('.report-link')
    await catalogue.waitForFunction(`document.querySelector('h1').textContent === 'Отчёты'`)
    expect(await textsOf(catalogue, '.report-link')).to.have.length(1)
    expect(await textsOf(catalogue, '.metric, .hint')).to.deep.equal([])
    expect(await catalogue.evaluate('document.body.innerText')).not.to.contain('Показатели')
    for (const query of ['', '&by.sort=odd']) {
      const page = await report(`?report=selected&from=2026-01-01&to=2026-01-31${query}`, { key })
      expect(await textsOf(page, '.table tbody tr > :first-child')).to.have.length(15)
      const listed = '.parameters label:nth-child(4) option:not([hidden])'
      await page.waitForSelector(listed)
      const options = await textsOf(page, listed)
      expect(options).to.deep.equal(['Нечётные'])
      const shown = `document.querySelector('.parameters label:nth-child(4) select').selectedOptions[0].text`
      expect(await page.evaluate(shown)).to.equal('Нечётные')
    }
  })

  it('selects rows by the parameters of a report, in its address, files and pieces', async () => {
    const page = await report('?report=selected&from=2026-01-01&to=2026-01-31')
    const count = async () => (await textsOf(page, '.table tbody tr > :first-child')).length
    expect(await count()).to.equal(30)
    const labels = await textsOf(page, '.parameters label')
    expect(labels.map(text => text.split(/\s/)[0])).to.deep.equal([
      'Крупные',
      'От',
      'Строка',
      'Вид',
    ])
    const chosen = (query: string) =>
      page.waitForFunction(
        `location.search.endsWith(${JSON.stringify(query)}) && !document.querySelector('[aria-busy=true]')`,
      )
    await page.select('.parameters label:nth-child(4) select', 'odd')
    await chosen('&by.sort=odd')
    expect(await count()).to.equal(15)
    await page.type('.parameters label:nth-child(3) input', 'Строка 7')
    await page.keyboard.press('Enter')
    await chosen('&by.sort=odd&by.number=9007199254740999')
    expect(await textsOf(page, '.table tbody tr > :first-child')).to.deep.equal(['Строка 7'])
    await page.waitForFunction(`document.title.includes(', Строка: Строка 7; Вид: Нечётные')`)
    expect((await textsOf(page, '.sentence')).join()).to.match(
      / \(Строка: Строка 7; Вид: Нечётные\)\.$/,
    )
    expect(await axeViolations(page)).to.deep.equal([])
    await page.emulateMediaType('print')
    expect((await textsOf(page, '.printed')).join()).to.contain(
      'Отбор: Строка: Строка 7; Вид: Нечётные',
    )
    await page.emulateMediaType('screen')
    const save = await saverOf(page)
    const [name, text] = await save(2)
    expect(name).to.contain('Строка Строка 7; Вид Нечётные')
    expect(text).to.contain('Строка 7').and.not.contain('Строка 9')
    await page.click('[aria-haspopup]')
    await page.waitForSelector('dialog pre')
    expect((await textsOf(page, 'dialog pre')).join()).to.contain(
      '.csv?sort=odd&number=9007199254740999&from=',
    )
    await page.select('dialog select', 'python')
    expect((await textsOf(page, 'dialog pre')).join()).to.contain(
      '"&sort=odd&number=9007199254740999", "_sort_odd_number_9007199254740999"',
    )
    await page.keyboard.press('Escape')
    await page.goBack()
    await chosen('&by.sort=odd')
    expect(await count()).to.equal(15)
    const unknown = await open('?report=selected&by.sort=none')
    await unknown.waitForSelector('.problem')
    expect((await textsOf(unknown, '.problem')).join()).to.contain('одно из: odd, even')
  })

  it('keeps all values that are chosen, also while rows come and after a rejected one', async () => {
    const page = await report('?report=selected&from=2026-01-01&to=2026-01-31')
    const chosen = (query: string) =>
      page.waitForFunction(
        `location.search.endsWith(${JSON.stringify(query)}) && !document.querySelector('[aria-busy=true]')`,
      )
    const [big, least, number, sort] = [1, 2, 3, 4].map(
      at => `.parameters label:nth-child(${at}) :is(input, select)`,
    ) as [string, string, string, string]
    expect(await textsOf(page, `${big} option`)).to.deep.equal(['Все', 'Больше 25', 'Прочие', ''])
    await page.evaluate(`
      for (const [selector, value] of ${JSON.stringify(Object.entries({ [sort]: 'even', [big]: 'true' }))}) {
        const element = document.querySelector(selector)
        element.value = value
        element.dispatchEvent(new Event('change'))
      }`)
    await chosen('&by.sort=even&by.big=true')
    await page.type(least, '28,5')
    await page.keyboard.press('Enter')
    await chosen('&by.sort=even&by.big=true&by.least=2850')
    expect(await page.evaluate(`document.querySelector('${least}').value`)).to.equal('28.50')
    await page.type(number, 'Строка 1 (9007199254741022)')
    await page.keyboard.press('Enter')
    await chosen('&by.least=2850&by.number=9007199254741022')
    expect(await textsOf(page, '.table tbody tr > :first-child')).to.deep.equal(['Строка 30'])
    await page.emulateMediaType('print')
    expect((await textsOf(page, '.printed')).join()).to.contain(
      'Отбор: Крупные: Больше 25; От суммы: 28,50 ₽; Строка: Строка 1; Вид: Чётные',
    )
    await page.emulateMediaType('screen')
    const rejected = await open('?report=selected&by.sort=none&by.big=true')
    await rejected.waitForSelector('.problem')
    await rejected.waitForSelector(sort)
    await rejected.select(sort, 'odd')
    await rejected.waitForFunction("location.search.endsWith('&by.big=true&by.sort=odd')")
    await page.setRequestInterception(true)
    page.on('request', asked => void (asked.url().endsWith('/parameters') || asked.continue()))
    await page.reload({ waitUntil: 'domcontentloaded' })
    await page.waitForSelector('.table tbody tr')
  })

  it('copies five lines of Python that give the shown table', async function () {
    const programs = ['python3', '/usr/bin/python3']
    const python = await needs(this, 'python3-pandas', programs, ['-c', 'import pandas'])
    const query = '?report=quarters&from=2026-07-01&to=2026-09-30&compare=year&sort=-value'
    const page = await report(query)
    expect(await textsOf(page, '.table tbody td:nth-child(2)')).to.deep.equal([
      '30,00 ₽ — · +30,00 ₽',
      '20,26 ₽ 20,25 ₽ · 0 %',
      '— 10,00 ₽ · −100 %',
    ])
    await page.click('[aria-haspopup]')
    await page.waitForSelector('dialog pre')
    const [script = ''] = await page.$$eval('dialog pre', all => all.map(each => each.innerText))
    expect(script.match(/^[a-z].*$/gm)).to.have.length(5)
    const printed = 'print(table[["name", "value", "value_compared"]].to_csv(header=False))'
    const env = { ...process.env, SVODKA_KEY: KEY }
    const { stdout } = await promisify(execFile)(python, ['-c', `${script}\n${printed}`], { env })
    expect(stdout.trim()).to.equal('0,Новый,30.0,\n1,Общий,20.26,20.25\n2,Старый,,10.0')
  })

  it('names the filter in title, total and on paper, and saves the rows that are shown', async () => {
    const query = 'from=2026-07-01&to=2026-09-30&compare=year'
    const page = await report(`?report=quarters&${query}&sort=-value`)
    const save = await saverOf(page)
    // the columns of a comparison stand beside those that they belong to
    const { text } = await world.ask(`/reports/quarters.csv?preset=excel&${query}`)
    const values = (csv: string) =>
      csv
        .split('\r\n')
        .slice(1)
        .map(line =>
          line
            .replaceAll(/,0(?=;|$)/g, '')
            .split(';')
            .toSorted()
            .join(),
        )
    const [name, shown] = await save(7)
    expect(name).to.contain('Строки на экране')
    expect(values(shown).toSorted()).to.deep.equal(values(text).toSorted())
    await enter(page, '.rows input[type=search]', 'нов')
    expect(await textsOf(page, 'tfoot th')).to.deep.equal(['Итого по найденному'])
    expect(await page.title()).to.match(/^Покупатели, найдено «нов» — /)
    await page.emulateMediaType('print')
    expect(await textsOf(page, '.rows .printed')).to.deep.equal(['найдено «нов»: 1 из 3'])
    await page.emulateMediaType()
    const [foundName, found] = await save(7)
    expect(foundName).to.match(/, найдено «нов»\.csv$/)
    expect(found.split('\r\n')).to.have.length(4)
    expect(found).to.match(/\r\nНовый;.*\r\nИтого по найденному;/)
    const [wholeName, whole] = await save(2)
    expect(wholeName).to.match(/, Excel\.csv$/)
    expect(whole).to.equal(`\uFEFF${text}`)
  })

  it('saves a file that is no older than the table after «Обновить»', async () => {
    const page = await report('?report=receipts&from=2026-01-01&to=2026-12-31')
    const saveFile = await saverOf(page)
    const save = async () => (await saveFile(3))[1]
    const amounts = ({ length }: string, text: string) => [length, text.includes(',10051,')]
    const old = await save()
    await world.shops.change('update receipts set amount_kopecks = 10051 where id = 101')
    try {
      expect(amounts(old, await save()), 'from the cache').to.deep.equal([old.length, false])
      const table = page.waitForResponse(response => response.url().includes('receipts.ndjson'))
      await page.click('.spring button')
      await table
      expect(amounts(old, await save())).to.deep.equal([old.length, true])
    } finally {
      await world.shops.change('update receipts set amount_kopecks = 10050 where id = 101')
    }
  })

  it('keeps period, sorting and search in the address', async () => {
    const page = await report('?report=turnover&from=2026-01-01&to=2026-03-31')
    await page.click('thead th:nth-child(2) button')
    expect(page.url()).to.match(/sort=-income/)
    expect((await textsOf(page, '.table tbody th'))[0]).to.equal('Месяц 3')
    await enter(page, '.rows input[type=search]', 'месяц 2')
    expect(await textsOf(page, 'tfoot tr')).to.deep.equal([
      'Итого по найденному 2 469 134,00 ₽ 0,00 ₽',
    ])
    await page.select('.period select', 'lastYear')
    const lastYear = new Date().getFullYear() - 1
    await page.waitForFunction(
      `document.querySelector('.sentence').innerText.includes(${lastYear})`,
    )
    expect(page.url()).to.contain(`from=${lastYear}-01-01&to=${lastYear}-12-31`)
    const { search } = new URL(page.url())
    await page.goBack()
    await page.waitForFunction(`document.querySelector('.sentence')?.innerText.includes('2026')`)
    const again = await report(search)
    expect(await textsOf(again, '.table tbody th')).to.deep.equal(['Месяц 2'])
  })

  it('executes and draws over nothing that a cell or a title says', async () => {
    const page = await open()
    await catalogueShown(page)
    const expectHarmless = async () => {
      const executed = 'main img, main script, main a[href^=javascript]'
      expect(await textsOf(page, executed)).to.deep.equal([])
      expect(await page.evaluate('document.body.scrollWidth <= innerWidth')).to.equal(true)
      expect(await axeViolations(page)).to.deep.equal([])
    }
    await expectHarmless()
    await page.click('.report-link[href*=hostile]')
    await reportShown(page)
    await expectHarmless()
    expect(await textsOf(page, 'h1')).to.deep.equal([HOSTILE[0]])
    expect((await page.$$('.table tbody tr')).length).to.equal(HOSTILE.length)
  })

  it('is English for those who prefer it', async () => {
    const page = await report('?report=turnover', { language: 'en-GB' })
    expect((await textsOf(page, '.freshness'))[0]).to.match(/^Data as of/)
    expect((await textsOf(page, '.table td.number'))[0]).to.equal('1,234,567.00 ₽')
    const unmarked = await page.evaluate(`(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found = []
      while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode
        const isRussian = /[а-яё]/i.test(data)
        if (isRussian !== (parentElement.closest('[lang]').getAttribute('lang') === 'ru') && /[a-zа-яё]/i.test(data))
          found.push(data)
      }
      return found
    })()`)
    expect(unmarked, 'the language of each text').to.deep.equal([])
    await page.click('[aria-haspopup]')
    await page.waitForSelector('dialog pre')
    // the name of the report is the product's
    const words = (await textsOf(page, 'header, .basis, .tools, dialog')).join('\n')
    expect(words.replaceAll('Счёт по месяцам', '').replace(NAME, '')).not.to.match(/[а-яё]/i)
    const reference = await open('?view=reference', { language: 'en' })
    await reference.waitForSelector('.plain')
    const rows = await textsOf(reference, 'h1, h2, .reference p, tr:not(:has(a))')
    expect(rows.join('\n'))
      .to.contain('Checks the key')
      .and.not.match(/[а-яё]/i)
  })

  it('explains an error, and repeats the request', async () => {
    const page = await open('?report=division')
    await page.waitForSelector('.problem')
    const [text = ''] = await textsOf(page, '.problem')
    expect(text)
      .to.contain('Сообщите номер запроса поддержке')
      .and.match(/Номер запроса: [-\da-f]{36}$/)
    expect(await axeViolations(page)).to.deep.equal([])
    const missing = await open('?report=none')
    await missing.waitForSelector('.problem')
    expect((await textsOf(missing, '.problem'))[0])
      .to.contain('Отчёта с кодом «none» нет')
      .and.contain('Найдите его в списке')
  })

  it('says what to do without the tier, and without data', async () => {
    const locked = await open('', { key: 'key of shop 4' })
    await locked.waitForSelector('.problem')
    expect((await textsOf(locked, 'main'))[0])
      .to.contain('Доступ открыт с тарифа «Бизнес»')
      .and.contain('смените тариф')
      .and.contain('войдите с ключом другой организации')
    await locked.click('.actions button:last-of-type')
    await locked.waitForSelector('#key')
    const empty = await open('?from=1990-01-01&to=1990-12-31')
    await catalogueShown(empty)
    expect((await textsOf(empty, '.hint'))[0]).to.contain('Выберите другой период')
  })
})
