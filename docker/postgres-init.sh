#!/bin/sh
# First start of the database: creates the owner of the schema, and a role for each app. The migration grants the rights of
# the roles (libs/persistence/src/ownership.ts). The owner is not a superuser and may not create roles.
set -eu

secret() { cat "/secrets/$1"; }

psql --quiet -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<SQL
create role landlord_owner login password '$(secret owner-password)';
create role landlord_main_api login password '$(secret main-api-password)';
create role landlord_supervisor login password '$(secret supervisor-password)';
grant landlord_main_api, landlord_supervisor to landlord_owner;
create database landlord owner landlord_owner;
SQL
