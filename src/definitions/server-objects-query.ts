/** The query for the objects of a server that definitions name. */

/** Takes the result of `questionFor`, and returns `ServerObjects`. */
export const SERVER_OBJECTS = `
with recursive asked as (select $1::text::json as names),
called as (
    select pg_proc.oid, nspname as schema, proname as name, provolatile, pronargs, pronargdefaults,
        provariadic, proargtypes
    from pg_proc
    join pg_namespace on pg_namespace.oid = pronamespace
    where prokind <> 'p'
),
-- relations that are read as the role: tables, and those of views with security_invoker
relations as (
    select asked_table.value as table, pg_class.oid, reloptions
    from asked, json_array_elements_text(names -> 'tables') as asked_table
    join pg_class on pg_class.oid = to_regclass(asked_table.value)
    union
    select relations.table, pg_class.oid, pg_class.reloptions
    from relations
    join pg_rewrite on ev_class = relations.oid
    join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
    join pg_class on refclassid = 'pg_class'::regclass and pg_class.oid = refobjid
    where exists (
        select from pg_options_to_table(relations.reloptions)
        where option_name = 'security_invoker' and option_value::boolean
    )
),
filtered as (
    select distinct relations.table
    from relations
    where row_security_active(relations.oid) and (
        select count(*) filter (where polpermissive and pg_get_expr(polqual, polrelid) = 'true') = 0
            or count(*) filter (where not polpermissive) > 0
        from pg_policy
        where polrelid = relations.oid and polcmd in ('*', 'r')
          and exists (select from unnest(polroles) as role where role = 0 or pg_has_role(role, 'usage'))
    )
),
hidden (caller, oid) as (
    select format('operator %s', oprname), oprcode::oid from pg_operator
    union select format('the cast to %s', typname), castfunc from pg_cast join pg_type on pg_type.oid = casttarget
    union
    select format('%s()', name), unnest(array[
        aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn
    ])
    from pg_aggregate join called on called.oid = aggfnoid
    union
    select format('the cast to %s', typname), case refclassid when 'pg_proc'::regclass then refobjid else oprcode end
    from pg_constraint
    join pg_type on pg_type.oid = contypid
    join pg_depend on classid = 'pg_constraint'::regclass and objid = pg_constraint.oid
    left join pg_operator on refclassid = 'pg_operator'::regclass and pg_operator.oid = refobjid
)
select json_build_object(
    'role', current_user,
    'encoding', getdatabaseencoding(),
    'searchPath', array_to_json(current_schemas(true)),
    'functions', (
        select coalesce(json_agg(json_build_object(
            'schema', schema, 'name', name, 'isVolatile', provolatile = 'v',
            'leastArguments', pronargs - pronargdefaults,
            'mostArguments', case when provariadic = 0 then pronargs else 100 end,
            'takesRow', (select typtype in ('c', 'd', 'p') from pg_type where pg_type.oid = proargtypes[0])
        )), '[]')
        from called where name in (select json_array_elements_text(names -> 'functions') from asked)
    ),
    'hidden', (
        select coalesce(json_agg(json_build_object(
            'caller', caller, 'schema', schema, 'name', name, 'extension', extname
        )), '[]')
        from hidden
        join called using (oid)
        left join pg_depend on classid = 'pg_proc'::regclass and objid = called.oid and deptype = 'e'
        left join pg_extension on pg_extension.oid = refobjid
        where schema <> 'pg_catalog'
    ),
    'columns', (
        select coalesce(json_agg(distinct concat(relations.table, '.', attname)), '[]')
        from relations join pg_attribute on attrelid = to_regclass(relations.table)
        where attname in (select json_array_elements_text(names -> 'functions') from asked)
    ),
    'filtered', (select coalesce(json_agg(filtered.table), '[]') from filtered)
)::text as objects`
