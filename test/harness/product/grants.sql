grant usage on schema public to svodka_reports, svodka_keys, svodka_probe;
grant select on ledger, others, drifting, locked, entries to svodka_reports;
grant select on keys, organizations to svodka_keys;
grant select on beats to svodka_probe;
