@echo off
rem Runs one of Patchbay's programs with the app's own binary as Node. This file's name selects the program.
setlocal
set "ELECTRON_RUN_AS_NODE=1"
"%~dp0..\..\Patchbay.exe" "%~dp0..\lib\%~n0.mjs" %*
exit /b %ERRORLEVEL%
