// Valid files of sql/access/, and edits of them with and without faults.

export const KEYS = 'organization_by_key.sql'
export const LIST = 'organizations.sql'
export const FILES = {
  [KEYS]: `-- Ключи 🔑
select
    keys.hash as key_hash,
    keys.id as organization_id,
    keys.zone as time_zone,
    true as entitled
from access.keys
where keys.hash = any (:key_hashes)
`,
  [LIST]: `select
    id as organization_id,
    id as nickname,
    zone as time_zone
from access.keys
`,
}
export type Edit = readonly [file: keyof typeof FILES, find: string, replace: string]

const SHA256 = String.raw`the 32 bytes of SHA-256 as bytea: decode\(\.\.\., 'hex'\) makes them of hexadecimal text`
const PLAN = 'expected what the database can plan'

/** Each edit causes one finding, which fails readiness in the file of keys, and degrades it in the other. */
export const FAULTS: Readonly<Record<string, readonly [edit: Edit, finding: string]>> = {
  'a hash that is hexadecimal text': [
    [KEYS, 'keys.hash as', `encode(keys.hash, 'hex') as`],
    `:3: column key_hash is text, expected ${SHA256}`,
  ],
  'a hash that is compared as text': [
    [KEYS, 'keys.hash =', `encode(keys.hash, 'hex') =`],
    `:8: operator does not exist: text = bytea, ${PLAN}.*`,
  ],
  "entitled that is 'yes'": [
    [KEYS, 'true', `'yes'`],
    ':6: column entitled is text, expected boolean',
  ],
  'entitled that is a number': [
    [KEYS, 'true', '1'],
    ':6: column entitled is integer, expected boolean',
  ],
  'a column that is missing': [
    [KEYS, 'as key_hash', 'as hash_of_key'],
    `:2: no column key_hash is selected, expected ${SHA256}`,
  ],
  'a duplicate column': [
    [KEYS, 'true as entitled', 'true as entitled, false as entitled'],
    ':6: column entitled is selected twice, expected it once',
  ],
  'a name that is a number': [
    [KEYS, 'true as entitled', 'true as entitled, 5 as organization_name'],
    ':6: column organization_name is integer, expected text, selected by its name instead of \\*',
  ],
  'a name that is selected by an asterisk': [
    [
      KEYS,
      'true as entitled\nfrom access.keys',
      `true as entitled,\n    names.*\nfrom access.keys\ncross join (select 'a'::text as organization_name) as names`,
    ],
    ':9: column organization_name is text, expected text, selected by its name instead of \\*',
  ],
  'a time zone that is a number': [
    [KEYS, 'keys.zone', '3'],
    ':5: column time_zone is integer, expected text, an IANA name such as Europe/Moscow',
  ],
  'a column that the table does not have': [
    [KEYS, 'keys.zone', 'keys.zoned'],
    `:5: column keys.zoned does not exist, ${PLAN}.*`,
  ],
  'a list without a column': [
    [LIST, 'as nickname', 'as nick'],
    ':1: no column nickname is selected, expected text',
  ],
  'a list of a column that the table does not have': [
    [LIST, 'zone as', 'zoned as'],
    `:4: column "zoned" does not exist, ${PLAN}.*`,
  ],
  'a list with a time zone that is null': [
    [LIST, 'zone as', `nullif(zone, 'Europe/Moscow') as`],
    ': organization "moscow": time_zone is null, expected an IANA name',
  ],
  'a list with a time zone that is unknown': [
    [LIST, 'zone as', `replace(zone, 'Moscow', 'Moskau') as`],
    ': organization "moscow": time_zone is "Europe/Moskau", which Node does not know, .*',
  ],
}

/** These edits cause no finding. */
export const VALID: Readonly<Record<string, readonly Edit[]>> = {
  'domains, an enum and varchar': [
    [KEYS, 'keys.hash as', 'keys.hash::access.hash as'],
    [KEYS, 'true', 'true::access.flag'],
    [KEYS, 'keys.zone', 'keys.zone::access.zone'],
    [KEYS, 'keys.id', 'keys.id::varchar(20)'],
    [LIST, 'zone as', 'zone::name as'],
  ],
  'columns in another order, quoted, and more of them': [
    [KEYS, 'select', 'select 1, 2 as other, 3 as other,'],
    [KEYS, 'as key_hash', 'as "key_hash"'],
  ],
  'a union below a CTE': [
    [KEYS, 'select', 'with found as (select'],
    [
      KEYS,
      'any (:key_hashes)',
      'any (:key_hashes)) select * from found union all select * from found where false',
    ],
  ],
  'a name': [[KEYS, 'true as entitled', `true as entitled, keys.id::varchar as organization_name`]],
  'no row': [[LIST, 'from access.keys', 'from access.keys where false']],
}
