select 'sk_demo_one' as api_key, name as organization, 'the only one' as purpose from organizations where id = 1
