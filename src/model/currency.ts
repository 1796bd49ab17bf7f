/** Currencies by ISO 4217: their codes, the digits of their smallest unit, and their signs. Without Node's modules. */

export interface Currency {
  readonly code: string
  /** Decimals of an amount: money is a whole number of the unit that they count. */
  readonly digits: number
}

/** Those in use in 2026, but for metals and units of account without digits. @see https://www.six-group.com/en/products-services/financial-information/data-standards.html */
const CODES = `
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG
HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK
MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR
SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW
UZS VED VES VND VUV WST XAD XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`
/** why: those of Intl differ for IQD, HUF and IDR, and between versions */
const OTHER_DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
const CURRENCIES = new Map(
  CODES.trim()
    .split(/\s/)
    .map(code => [code, { code, digits: 2 }]),
)
for (const [digits, codes] of Object.entries(OTHER_DIGITS))
  for (const code of codes.split(' ')) CURRENCIES.set(code, { code, digits: Number(digits) })

/** Undefined for a code that ISO 4217 does not have, or without digits. */
export function currencyOf(code: string): Currency | undefined {
  return CURRENCIES.get(code)
}

/** Codes of those that have not two digits. @param own whose digits may be others than those of ISO 4217 */
export function otherDigits(own: Currency): Array<readonly [code: string, digits: number]> {
  const all = new Map([...CURRENCIES.values(), own].map(({ code, digits }) => [code, digits]))
  return [...all].filter(([, digits]) => digits !== 2)
}

/** The name of the unit that money is counted in: `1/100 EUR`, `JPY`. */
export function unitOfMoney({ code, digits }: Currency): string {
  // why: clients of the API know this name
  if (code === 'RUB') return 'kopeck'
  return digits === 0 ? code : `1/${10 ** digits} ${code}`
}

/** `5` is `0.05` with two digits. @param integer `-?\d+` */
export function decimalText(integer: string, digits: number): string {
  const [, sign, whole = ''] = /^(-?)(\d+)$/.exec(integer) ?? []
  if (sign === undefined || digits === 0) return integer
  const padded = whole.padStart(digits + 1, '0')
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

/** `1234.5` is `123450` with two digits; undefined if it has more of them, or is no decimal. */
export function minorText(decimal: string, digits: number): string | undefined {
  const [, sign, whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(decimal) ?? []
  if (sign === undefined || /[1-9]/.test(part.slice(digits))) return undefined
  const text = (whole + part.slice(0, digits).padEnd(digits, '0')).replace(/^0+(?=\d)/, '')
  return text === '0' ? text : sign + text
}

/** What stands before and after an amount: in English the sign and nothing, in Russian nothing and the sign. */
export function affixesOf({ code }: Currency, language: string): readonly string[] {
  const key = `${language} ${code}`
  const style = { style: 'currency', currency: code, maximumFractionDigits: 0 } as const
  const known = AFFIXES.get(key) ?? new Intl.NumberFormat(language, style).format(0).split('0')
  AFFIXES.set(key, known)
  return known
}

const AFFIXES = new Map<string, readonly string[]>()
